import { type ChunkParameters, checkChunkParameters, chunkParameters } from "../chunks/chunk-parameters.ts";
import { type LoadOptions, loadEngine } from "../engine/load.ts";
import { badArgument, checkKinds, optionsArgument } from "../errors/arguments.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { DEFAULT_NAMESPACE } from "../identity/ids.ts";
import { CrossEncoderLoader } from "../model/cross-encoder-loader.ts";
import { Embedder } from "../model/embedder.ts";
import {
  DEFAULT_MODEL,
  type ModelOptions,
  pinnedOptions,
  readManifest,
  readTokenizer,
} from "../model/load.ts";
import { checkEmbeds, type ModelIdentity, type ModelManifest } from "../model/manifest.ts";
import type { Database } from "../store/database.ts";
import { openDatabase } from "../store/open-database.ts";
import { adoptSchema, prepareSchema } from "../store/schema.ts";
import { SEGMENT_DEFAULT } from "../vectors/segmented-index.ts";
import { type CanonParts, canonParts, checkCanon, type IndexKind } from "./canon.ts";
import { Ingest } from "./ingest.ts";
import { Library } from "./library.ts";
import { findLibraryModel, modelUnknown } from "./library-model.ts";
import type { LibraryParts } from "./library-parts.ts";
import { LibraryState } from "./library-state.ts";
import { OPEN_OPTIONS, type OpenOptions } from "./open-options.ts";
import { rebuild } from "./rebuild.ts";
import { SemanticIndex } from "./semantic-index.ts";
import { SparseVectors } from "./sparse-vectors.ts";
import { checkStoredCanon, storeCanon, storedCanon, storedModel, storeFirstCanon } from "./stored-canon.ts";
import { checkDedupe, checkVectorSource, readDedupe, readVectorSource } from "./vector-source.ts";

/** The most that `EmbedPool` accepts. */
const WORKERS_MAX = 256;
/** A graph of more vectors might not fit into one WebAssembly memory. SPEC §14.3 */
const SEGMENT_MAX = 1_048_576;

/**
 * Opens a library, or creates it if it does not exist. In Node `name` is a file; ":memory:" is gone when closed.
 *
 * @example
 * const library = await open("notes.db");
 * await library.add([{ path: "ties.md", text }]);
 * await library.root(); // the same 64 digits on every device with the same documents
 * await library.close();
 */
export async function open(name: string, options: OpenOptions = {}): Promise<Library> {
  return new Library(await openParts(name, optionsArgument(options, OPEN_OPTIONS)));
}

/** What several libraries of one process share, and what a connection that only reads leaves out. */
export interface SharedParts {
  /** Returns the embedder of a model, which stays open when the library is closed. */
  readonly embedder?: (source: ModelOptions, workers: number | undefined) => Embedder;
  /** Returns the loader of a cross-encoder. */
  readonly crossEncoder?: (model: string | URL | ModelManifest, load: LoadOptions) => CrossEncoderLoader;
  /** The graph is never built or stored here: another connection does that. */
  readonly isReader?: boolean;
  /** Whether graphs answer, where that is known: a shard has only some of the vectors that decide it. */
  readonly answersByGraph?: boolean;
}

/** Assembles the parts for `open`. Separate for code that looks inside: namespaces, tests and benchmarks. */
export async function openParts(
  name: string,
  given: OpenOptions = {},
  shared: SharedParts = {},
): Promise<LibraryParts> {
  if (typeof name !== "string" || name === "") throw badArgument("name", "the name of a library", name);
  const options = checkOptions(given);
  // The caller's options are checked before a file is created.
  const asked = await readManifest(options.model ?? DEFAULT_MODEL);
  checkEmbeds(asked.manifest);
  if (options.chunking !== undefined) checkChunking(options.chunking, asked.manifest);
  if (options.index !== undefined) checkIndexKind(options.index);
  const vectors = options.vectors === undefined ? null : checkVectorSource(options.vectors);
  const dedupe = options.dedupeThreshold === undefined ? undefined : checkDedupe(options.dedupeThreshold);
  if (options.segment !== undefined) checkSegment(options.segment);
  const [{ engine }, database] = await both(loadEngine(options), openDatabase(name, options));
  let embedder = null as Embedder | null;
  try {
    return await database.use(async () => {
      prepareSchema(database);
      const recorded = storedCanon(database);
      const { identity, named } =
        recorded === null || options.model !== undefined
          ? { identity: asked.manifest, named: asked }
          : await findLibraryModel(
              database,
              recorded,
              storedModel(database),
              asked,
              options.knownModels ?? [],
            );
      if (options.chunking !== undefined) checkChunking(options.chunking, identity);
      const missing = named === null ? modelUnknown(name, identity) : null;
      const tokenizer = onceItSucceeds(async () => {
        if (named === null) throw missing;
        return readTokenizer(engine, named, options);
      });
      const weights = named === null ? options : pinnedOptions(options, named);
      const isShared = shared.embedder !== undefined && missing === null;
      const texts = isShared
        ? shared.embedder!(weights, options.workers)
        : new Embedder(weights, options.workers, missing);
      if (!isShared) embedder = texts;
      const chunking = options.chunking ?? recordedChunking(recorded, identity);
      const index = checkIndexKind(options.index ?? recorded?.index ?? "auto");
      const segment = checkSegment(options.segment ?? Number(recorded?.segment ?? SEGMENT_DEFAULT));
      const namespace = options.namespace ?? recorded?.namespace ?? DEFAULT_NAMESPACE;
      const source = vectors ?? readVectorSource(recorded?.vectors ?? "model", name);
      const threshold = dedupe === undefined ? readDedupe(recorded?.dedupe ?? "off", name) : dedupe;
      const canon = canonParts(identity, chunking, index, namespace, segment, source, threshold);
      const state = new LibraryState(engine, database, canon);
      const ingest = new Ingest(engine, database, state, tokenizer, texts, chunking);
      if (recorded === null) storeFirstCanon(database, canon, identity.name);
      else if (options.rebuild === true) {
        const record = () => storeCanon(database, canon, identity.name);
        await rebuild(database, state, ingest, recorded, record, options);
      } else checkCanon(recorded, canon, name, storedModel(database));
      const dim = state.dimension ?? identity.hidden;
      const byGraph = shared.answersByGraph;
      const kind = byGraph === undefined ? index : byGraph ? "hnsw" : "exact";
      const semantic = new SemanticIndex(
        { state, database, engine, dim, kind, segment, expected: options.expectedVectors },
        { ...options, isReader: shared.isReader === true },
      );
      database.followReplacement(() => checkReplacement(database, canon));
      const load = {
        ...(options.build === undefined ? {} : { build: options.build }),
        ...(options.source === undefined ? {} : { source: options.source }),
      };
      const sparse = new SparseVectors(database, state, load);
      const crossEncoder =
        options.crossEncoder === undefined
          ? null
          : (shared.crossEncoder ?? newCrossEncoder)(options.crossEncoder, load);
      const featureGenerator = options.featureGenerator ?? null;
      const openBeside = (other: string) => openParts(other, { ...given, rebuild: false }, shared);
      return {
        ...{ engine, database, state, ingest, embedder: texts, ownsEmbedder: !isShared, semantic },
        ...{ sparse, tokenizer, featureGenerator, crossEncoder, identity, load, openBeside },
      };
    });
  } catch (error) {
    embedder?.close();
    database.close();
    throw error;
  }
}

/** Checks the file that another process has put in the place of the open one: a library of the same canon. */
function checkReplacement(database: Database, canon: CanonParts): void {
  adoptSchema(database);
  checkStoredCanon(database, canon);
}

function newCrossEncoder(model: string | URL | ModelManifest, load: LoadOptions): CrossEncoderLoader {
  return new CrossEncoderLoader(model, load);
}

function checkOptions(given: OpenOptions): OpenOptions {
  const options = optionsArgument(given);
  const { model, crossEncoder, workers } = options;
  for (const [name, named] of Object.entries({ model, crossEncoder }))
    if (named !== undefined && typeof named !== "string" && (typeof named !== "object" || named === null))
      throw badArgument(name, "the name of a model, the URL of a manifest, or a manifest", named);
  if (workers !== undefined && !(Number.isInteger(workers) && workers >= 1 && workers <= WORKERS_MAX))
    throw badArgument("workers", `a whole number from 1 to ${WORKERS_MAX}`, workers);
  return checkKinds(options, {
    ...{ namespace: "text", timeoutMs: "count", rebuild: "flag", modelUrl: "address" },
    ...{ signal: "signal", onRebuildProgress: "function", knownModels: "texts" },
    ...{ maxIndexMemory: "count", expectedVectors: "count", onIndexProgress: "function" },
    featureGenerator: "function",
  });
}

/** Runs the work once and keeps its result: a tokenizer stays in the engine's memory. After a failure, it tries again. */
function onceItSucceeds<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | null = null;
  return () => {
    done ??= work().catch((error) => {
      done = null;
      throw error;
    });
    return done;
  };
}

/** Waits for both. If the engine fails to load, no database stays open. */
async function both<T>(engine: Promise<T>, database: Promise<Database>): Promise<[T, Database]> {
  try {
    return await Promise.all([engine, database]);
  } catch (error) {
    database.then((opened) => opened.close()).catch(() => undefined);
    throw error;
  }
}

/** Returns the recorded chunking, if the library was made with this model: another one reads more tokens, or fewer. */
function recordedChunking(recorded: CanonParts | null, { files, limit }: ModelIdentity): ChunkParameters {
  const numbers = recorded?.chunking.split(" ").map(Number);
  const isSameModel = recorded?.model === files.weights.sha256 && recorded.limit === String(limit);
  if (!isSameModel || numbers?.length !== 3 || !numbers.every(Number.isInteger))
    return chunkParameters(limit);
  const [maxTokens, overlapTokens, maxBytes] = numbers as [number, number, number];
  return { maxTokens, overlapTokens, maxBytes };
}

function checkChunking(chunking: ChunkParameters, { name, limit }: ModelIdentity): void {
  checkChunkParameters(chunking);
  if (chunking.maxTokens <= limit) return;
  throw new SelfsameError(
    "BAD_ARGUMENT",
    `expected chunks of at most ${limit} tokens, which ${name} reads, got ${chunking.maxTokens}`,
    "The rest of a chunk would not be embedded: use a smaller maxTokens",
  );
}

function checkSegment(segment: number): number {
  if (Number.isInteger(segment) && segment >= 1 && segment <= SEGMENT_MAX) return segment;
  throw badArgument("segment", `a whole number from 1 to ${SEGMENT_MAX}`, segment);
}

function checkIndexKind(kind: string): IndexKind {
  if (kind === "auto" || kind === "exact" || kind === "hnsw") return kind;
  throw new SelfsameError(
    "BAD_ARGUMENT",
    `expected index to be auto, exact or hnsw, got ${JSON.stringify(kind)}`,
  );
}
