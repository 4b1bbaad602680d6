import type { Engine } from "../engine/engine.ts";
import { open } from "../library/open.ts";
import { checkArith } from "./arith.ts";
import { checkChunker } from "./chunker.ts";
import { type ClassifierVectors, checkClassifier } from "./classifier.ts";
import { checkCounts } from "./counts.ts";
import { checkDense } from "./dense.ts";
import { checkDigest } from "./digest.ts";
import { checkEmbedding } from "./embedding.ts";
import { checkEvaluation } from "./evaluation.ts";
import { checkFeatures } from "./features.ts";
import { checkFilters } from "./filters.ts";
import type { Effort, Fixtures } from "./fixtures.ts";
import { checkForward } from "./forward.ts";
import { checkFunctions } from "./functions.ts";
import { checkIdentity } from "./identity.ts";
import { checkKernels } from "./kernels.ts";
import type { Outcome } from "./outcome.ts";
import { checkOutside } from "./outside.ts";
import { checkPack } from "./pack.ts";
import { checkQuery } from "./query.ts";
import { checkMmr, checkRrf } from "./ranking.ts";
import { checkRecall, type RecallVectors } from "./recall.ts";
import { checkReceipts } from "./receipt.ts";
import { checkRoot } from "./root.ts";
import { checkSearch, type SearchVectors } from "./search.ts";
import { checkSelfTests } from "./self-test.ts";
import { checkSparse } from "./sparse.ts";
import { checkText } from "./text.ts";
import { checkTokenizer } from "./tokenizer.ts";
import { checkDot, checkHnsw } from "./vectors.ts";

/** The models that have vectors. */
export const MODELS = ["tiny", "all-MiniLM-L6-v2", "tiny-cross"] as const;
/** The name of one of these models. */
export type ConformanceModel = (typeof MODELS)[number];

const ENCODERS = ["tiny", "all-MiniLM-L6-v2"] as const;
const LARGE: ConformanceModel = "all-MiniLM-L6-v2";
const CROSS_ENCODER: ConformanceModel = "tiny-cross";

/** A suite. `prepare` reads and loads everything the suite needs, then returns the function that compares. */
export interface Suite {
  /** test-vectors/<file>.json */
  readonly file: string;
  /** The model that the suite cannot run without. */
  readonly model: ConformanceModel | null;
  /** Suites that need SQLite and hundreds of embeddings run only with the effort `full`. */
  readonly efforts: readonly Effort[];
  prepare(fixtures: Fixtures): Promise<() => Outcome | Promise<Outcome>>;
}

const ANY: readonly Effort[] = ["full", "engine"];

function engineSuite<Vectors>(
  file: string,
  check: (engine: Engine, vectors: Vectors) => Outcome | Promise<Outcome>,
): Suite {
  const prepare = async (fixtures: Fixtures) => {
    const [engine, vectors] = await Promise.all([fixtures.engine(), fixtures.vectors<Vectors>(file)]);
    return () => check(engine, vectors);
  };
  return { file, model: null, efforts: ANY, prepare };
}

/** Returns a suite that also runs with the large vocabulary, if its model is included. */
function vocabularySuite<Vectors>(
  file: string,
  check: (
    engine: Engine,
    vectors: Vectors,
    minilm?: Awaited<ReturnType<Fixtures["tokenizerFile"]>>,
  ) => Outcome,
): Suite {
  const prepare = async (fixtures: Fixtures) => {
    const [engine, vectors] = await Promise.all([fixtures.engine(), fixtures.vectors<Vectors>(file)]);
    const minilm = fixtures.has(LARGE) ? await fixtures.tokenizerFile(LARGE) : undefined;
    return () => check(engine, vectors, minilm);
  };
  return { file, model: null, efforts: ANY, prepare };
}

function forwardSuite(name: ConformanceModel): Suite {
  const prepare = async (fixtures: Fixtures) => {
    const vectors = await fixtures.vectors<Parameters<typeof checkForward>[3]>("forward");
    const [engine, model] = await Promise.all([fixtures.engine(), fixtures.model(name)]);
    return () => checkForward(engine, name, model, vectors, countOf(name, fixtures.effort, 1));
  };
  return { file: "forward", model: name, efforts: ANY, prepare };
}

function embeddingSuite(name: ConformanceModel): Suite {
  const prepare = async (fixtures: Fixtures) => {
    const vectors = await fixtures.vectors<Parameters<typeof checkEmbedding>[2]>("embedding");
    const model = await fixtures.model(name);
    return () => checkEmbedding(name, model, vectors, countOf(name, fixtures.effort, 3));
  };
  return { file: "embedding", model: name, efforts: ANY, prepare };
}

/** Returns how many cases to run: all, but only the first `few` of the large model if the effort is `engine`. */
function countOf(name: ConformanceModel, effort: Effort, few: number): number {
  return effort === "engine" && name === LARGE ? few : Number.POSITIVE_INFINITY;
}

/** Returns a suite of the host's own arithmetic, which needs no engine. */
function hostSuite<Vectors>(file: string, check: (vectors: Vectors) => Outcome): Suite {
  const prepare = async (fixtures: Fixtures) => {
    const vectors = await fixtures.vectors<Vectors>(file);
    return () => check(vectors);
  };
  return { file, model: null, efforts: ANY, prepare };
}

/** A cross-encoder: pairs of texts. SPEC §8.6 */
const classifierSuite: Suite = {
  file: "classifier",
  model: CROSS_ENCODER,
  efforts: ANY,
  async prepare(fixtures) {
    const vectors = await fixtures.vectors<ClassifierVectors>("classifier");
    const [engine, model] = await Promise.all([fixtures.engine(), fixtures.crossEncoder(CROSS_ENCODER)]);
    return () => checkClassifier(engine, CROSS_ENCODER, model, vectors);
  },
};

/** The whole pipeline, from documents to answers, with a library in memory. SPEC §20 */
const searchSuite: Suite = {
  file: "search",
  model: LARGE,
  efforts: ["full"],
  async prepare(fixtures) {
    const vectors = await fixtures.vectors<SearchVectors>("search");
    const documents = await Promise.all(
      corpusPaths(vectors).map(async (path) => ({ path, text: await fixtures.bytes(`corpus/${path}`) })),
    );
    // A device need not hold the model twice.
    fixtures.forgetModels();
    const library = await open(":memory:", await fixtures.libraryOptions(LARGE));
    return async () => {
      try {
        const total = vectors.parameters.chunks.length;
        await library.add(documents, { onProgress: ({ chunks }) => fixtures.progress(chunks, total) });
        return await checkSearch(library, vectors);
      } finally {
        await library.close();
      }
    };
  },
};

/** Recall with a small model, from documents to memories with reasons. SPEC §26 */
const recallSuite: Suite = {
  file: "recall",
  model: "tiny",
  efforts: ["full"],
  async prepare(fixtures) {
    const vectors = await fixtures.vectors<RecallVectors>("recall");
    const { namespace } = vectors.parameters;
    const library = await open(":memory:", { ...(await fixtures.libraryOptions("tiny")), namespace });
    const hasCrossEncoder = fixtures.has(CROSS_ENCODER);
    if (hasCrossEncoder) library.useCrossEncoder(await fixtures.crossEncoder(CROSS_ENCODER));
    return async () => {
      try {
        await library.add(vectors.documents);
        return await checkRecall(library, vectors, hasCrossEncoder);
      } finally {
        await library.close();
      }
    };
  },
};

/**
 * Returns the documents' paths, taken from the names of their chunks, because a host may be unable to list a folder.
 */
function corpusPaths({ parameters }: SearchVectors): string[] {
  return [
    ...new Set(parameters.chunks.map((chunk) => chunk.slice(chunk.indexOf(" ") + 1, chunk.lastIndexOf("#")))),
  ];
}

/** Every file of test-vectors/, in the order of the pipeline: the first suite that fails is the place to look. */
export const SUITES: readonly Suite[] = [
  engineSuite("arith", checkArith),
  engineSuite("functions", checkFunctions),
  engineSuite("digest", checkDigest),
  engineSuite("text", checkText),
  vocabularySuite("tokenizer", checkTokenizer),
  engineSuite("kernels", checkKernels),
  ...ENCODERS.flatMap((name) => [forwardSuite(name), embeddingSuite(name)]),
  classifierSuite,
  engineSuite("dense", checkDense),
  engineSuite("dot", checkDot),
  engineSuite("hnsw", checkHnsw),
  engineSuite("self-test", checkSelfTests),
  vocabularySuite("chunker", checkChunker),
  engineSuite("identity", checkIdentity),
  engineSuite("root", checkRoot),
  engineSuite("outside", checkOutside),
  engineSuite("pack", checkPack),
  engineSuite("query", checkQuery),
  hostSuite("counts", checkCounts),
  engineSuite("sparse", checkSparse),
  engineSuite("rrf", checkRrf),
  engineSuite("mmr", checkMmr),
  engineSuite("filters", checkFilters),
  engineSuite("features", checkFeatures),
  engineSuite("receipt", checkReceipts),
  hostSuite("evaluation", checkEvaluation),
  recallSuite,
  searchSuite,
];

/** The names that `only` accepts. */
export const SUITE_NAMES: readonly string[] = [...new Set(SUITES.map(({ file }) => file))];
