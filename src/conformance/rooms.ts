import type { Engine } from "../engine/engine.ts";
import { open } from "../library/open.ts";
import { checkArith } from "./arith.ts";
import type { Bench, Effort } from "./bench.ts";
import { checkChunker } from "./chunker.ts";
import { checkDigest } from "./digest.ts";
import { checkEmbedding } from "./embedding.ts";
import { checkEvaluation } from "./evaluation.ts";
import { checkFilters } from "./filters.ts";
import { checkForward } from "./forward.ts";
import { checkFunctions } from "./functions.ts";
import { checkIdentity } from "./identity.ts";
import { checkKernels } from "./kernels.ts";
import type { Outcome } from "./outcome.ts";
import { checkQuery } from "./query.ts";
import { checkMmr, checkRrf } from "./ranking.ts";
import { checkReceipts } from "./receipt.ts";
import { checkRoot } from "./root.ts";
import { checkSearch, type SearchVectors } from "./search.ts";
import { checkSelfTests } from "./self-test.ts";
import { checkText } from "./text.ts";
import { checkTokenizer } from "./tokenizer.ts";
import { checkDot, checkHnsw } from "./vectors.ts";

/** The models that have vectors. */
export const MODELS = ["tiny", "all-MiniLM-L6-v2"] as const;
/** The name of one of them. */
export type ConformanceModel = (typeof MODELS)[number];

const LARGE: ConformanceModel = "all-MiniLM-L6-v2";

/** `run` compares; whatever it needs has been read and loaded by the time that `prepare` gives it. */
export interface Room {
  /** test-vectors/<file>.json */
  readonly file: string;
  /** The model without which the room cannot be run at all. */
  readonly model: ConformanceModel | null;
  /** Rooms that need SQLite and hundreds of embeddings are for the effort `full` alone. */
  readonly efforts: readonly Effort[];
  prepare(bench: Bench): Promise<() => Outcome | Promise<Outcome>>;
}

const ANY: readonly Effort[] = ["full", "engine"];

function engineRoom<Vectors>(
  file: string,
  check: (engine: Engine, vectors: Vectors) => Outcome | Promise<Outcome>,
): Room {
  const prepare = async (bench: Bench) => {
    const [engine, vectors] = await Promise.all([bench.engine(), bench.vectors<Vectors>(file)]);
    return () => check(engine, vectors);
  };
  return { file, model: null, efforts: ANY, prepare };
}

/** Also with the large vocabulary, where its model takes part. */
function vocabularyRoom<Vectors>(
  file: string,
  check: (engine: Engine, vectors: Vectors, minilm?: Awaited<ReturnType<Bench["tokenizerFile"]>>) => Outcome,
): Room {
  const prepare = async (bench: Bench) => {
    const [engine, vectors] = await Promise.all([bench.engine(), bench.vectors<Vectors>(file)]);
    const minilm = bench.has(LARGE) ? await bench.tokenizerFile(LARGE) : undefined;
    return () => check(engine, vectors, minilm);
  };
  return { file, model: null, efforts: ANY, prepare };
}

function forwardRoom(name: ConformanceModel): Room {
  const prepare = async (bench: Bench) => {
    const vectors = await bench.vectors<Parameters<typeof checkForward>[3]>("forward");
    const [engine, model] = await Promise.all([bench.engine(), bench.model(name)]);
    return () => checkForward(engine, name, model, vectors, countOf(name, bench.effort, 1));
  };
  return { file: "forward", model: name, efforts: ANY, prepare };
}

function embeddingRoom(name: ConformanceModel): Room {
  const prepare = async (bench: Bench) => {
    const vectors = await bench.vectors<Parameters<typeof checkEmbedding>[2]>("embedding");
    const model = await bench.model(name);
    return () => checkEmbedding(name, model, vectors, countOf(name, bench.effort, 3));
  };
  return { file: "embedding", model: name, efforts: ANY, prepare };
}

/** All cases, but of the large model only the first `few` where the effort is small. */
function countOf(name: ConformanceModel, effort: Effort, few: number): number {
  return effort === "engine" && name === LARGE ? few : Number.POSITIVE_INFINITY;
}

const evaluationRoom: Room = {
  file: "evaluation",
  model: null,
  efforts: ANY,
  async prepare(bench) {
    const vectors = await bench.vectors<Parameters<typeof checkEvaluation>[0]>("evaluation");
    return () => checkEvaluation(vectors);
  },
};

/** The whole walk: documents in, answers out, by a library in memory. SPEC §20 */
const searchRoom: Room = {
  file: "search",
  model: LARGE,
  efforts: ["full"],
  async prepare(bench) {
    const vectors = await bench.vectors<SearchVectors>("search");
    const documents = await Promise.all(
      corpusPaths(vectors).map(async (path) => ({ path, text: await bench.bytes(`corpus/${path}`) })),
    );
    // A device need not hold the model twice.
    bench.forgetModels();
    const library = await open(":memory:", await bench.libraryOptions(LARGE));
    return async () => {
      try {
        const total = vectors.parameters.chunks.length;
        await library.add(documents, { onProgress: ({ chunks }) => bench.progress(chunks, total) });
        return await checkSearch(library, vectors);
      } finally {
        await library.close();
      }
    };
  },
};

/** The documents' paths, which every chunk of theirs is named by: a host may have no way to list a folder. */
function corpusPaths({ parameters }: SearchVectors): string[] {
  return [
    ...new Set(parameters.chunks.map((chunk) => chunk.slice(chunk.indexOf(" ") + 1, chunk.lastIndexOf("#")))),
  ];
}

/** Every file of test-vectors/, along the walk: the first room that fails is the place to look. */
export const ROOMS: readonly Room[] = [
  engineRoom("arith", checkArith),
  engineRoom("functions", checkFunctions),
  engineRoom("digest", checkDigest),
  engineRoom("text", checkText),
  vocabularyRoom("tokenizer", checkTokenizer),
  engineRoom("kernels", checkKernels),
  ...MODELS.flatMap((name) => [forwardRoom(name), embeddingRoom(name)]),
  engineRoom("dot", checkDot),
  engineRoom("hnsw", checkHnsw),
  engineRoom("self-test", checkSelfTests),
  vocabularyRoom("chunker", checkChunker),
  engineRoom("identity", checkIdentity),
  engineRoom("root", checkRoot),
  engineRoom("query", checkQuery),
  engineRoom("rrf", checkRrf),
  engineRoom("mmr", checkMmr),
  engineRoom("filters", checkFilters),
  engineRoom("receipt", checkReceipts),
  evaluationRoom,
  searchRoom,
];

/** What `only` may name. */
export const ROOM_NAMES: readonly string[] = [...new Set(ROOMS.map(({ file }) => file))];
