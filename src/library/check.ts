import { Breather } from "../engine/breather.ts";
import { counted } from "../errors/counted.ts";
import type { Database } from "../store/database.ts";
import { wrongLength } from "../store/lengths.ts";
import { INDEX_AGAIN, INGEST_AGAIN } from "../store/missing-row.ts";
import { checkStructure, checkWordIndex } from "../store/schema.ts";
import { checkAccess } from "./check-access.ts";
import { checkDocuments } from "./check-documents.ts";
import { checkGraph } from "./check-graph.ts";
import { checkVectors } from "./check-vectors.ts";
import { checkVocabulary } from "./check-vocabulary.ts";
import { type Finding, findingOf, ok, problem } from "./finding.ts";
import type { LibraryParts } from "./library-parts.ts";
import { duplicateFinder } from "./outside/dedupe.ts";
import { checkRemotes } from "./pull/check-remotes.ts";

/** How much `Library.check` examines, and options to watch and stop it. */
export interface CheckOptions {
  /** How many vectors are computed again and compared, chosen at random each time; default 64. */
  readonly embeddings?: number;
  /** Whether to compare all vectors, which takes as long as indexing; default false. */
  readonly full?: boolean;
  /** Stops the check; the promise then rejects with the code ABORTED. */
  readonly signal?: AbortSignal;
  /** Called with each finding as it is made. */
  readonly onFinding?: (finding: Finding) => void;
}

/** The result of a library's check: the findings for every part, and whether none is a problem. */
export interface LibraryCheck {
  /** Whether no finding is a problem. */
  readonly isSound: boolean;
  /** The findings, part by part. */
  readonly findings: readonly Finding[];
}

const EMBEDDINGS_DEFAULT = 64;

/**
 * Derives all hashes, ids, roots, chunks, words and the graph again, and a sample of the vectors, and compares them
 * with what the library holds. Nothing is written.
 */
export async function checkLibrary(parts: LibraryParts, options: CheckOptions = {}): Promise<LibraryCheck> {
  const { embeddings = EMBEDDINGS_DEFAULT, full = false, signal, onFinding } = options;
  const sample = full ? Number.POSITIVE_INFINITY : embeddings;
  const steps: readonly [subjects: readonly string[], check: () => Finding[] | Promise<Finding[]>][] = [
    [["file"], () => [checkFile(parts.database)]],
    [["access"], () => [checkAccess(parts.database.name)]],
    [["word index"], () => [checkWords(parts.database)]],
    [["vocabulary"], () => [checkVocabulary(parts)]],
    [["root", "metadata root", "chunks"], () => checkDocuments(parts, signal)],
    [["vectors"], async () => [await checkVectors(parts, sample, signal)]],
    [["graph"], async () => [await checkGraph(parts, signal)]],
    [["remotes"], () => checkRemotes(parts)],
    [["duplicates"], async () => (parts.state.dedupe === null ? [] : [await checkDuplicates(parts)])],
  ];
  const findings: Finding[] = [];
  for (const [subjects, check] of steps) {
    const found = await Promise.resolve()
      .then(check)
      .catch((error) => subjects.map((subject) => findingOf(subject, error)));
    findings.push(...found);
    for (const finding of found) onFinding?.(finding);
  }
  return { isSound: findings.every(({ verdict }) => verdict !== "problem"), findings };
}

/** Finds the near-duplicates again. */
async function checkDuplicates(parts: LibraryParts): Promise<Finding> {
  const find = await duplicateFinder(parts);
  const found = find === null ? new Set<number>() : await new Breather().run(find());
  const stored = parts.database.all<{ chunk: number }>("SELECT chunk FROM unranked ORDER BY chunk");
  if (stored.length !== found.size || stored.some(({ chunk }) => !found.has(chunk)))
    return problem("duplicates", `expected ${found.size} that are not ranked, got others`, INGEST_AGAIN);
  return ok("duplicates", `${counted(found.size, "chunk")} stored and not ranked, as found again`);
}

/** Reads every page, and with it its seal, if the file has seals. */
function checkFile(database: Database): Finding {
  checkStructure(database);
  const { count, size } = database.get<{ count: number; size: number }>(
    "SELECT (SELECT page_count FROM pragma_page_count) AS count, (SELECT page_size FROM pragma_page_size) AS size",
  )!;
  return ok("file", `whole: ${counted(count, "page")} of ${size} bytes`);
}

function checkWords(database: Database): Finding {
  checkWordIndex(database);
  const wrong = database.snapshot(() => wrongLength(database));
  if (wrong !== null)
    return problem("word index", `the length of chunk ${wrong} is not that of its text`, INDEX_AGAIN);
  const { count } = database.get<{ count: number }>("SELECT count(chunkId) AS count FROM chunks")!;
  return ok("word index", `agrees with the text of ${counted(count, "chunk")}`);
}
