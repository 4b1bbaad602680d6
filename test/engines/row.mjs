/**
 * What one JavaScript engine is asked, in Node, Deno, Bun and a page alike: all vectors on the build that the probe
 * takes, the engine's suites on the two others, and a library on disk with the small model.
 */

const BUILDS = ["simd", "soft", "scalar"];

/**
 * @param {object} host
 * @param {typeof import("../../dist/conformance/index.js").runConformance} host.runConformance
 * @param {typeof import("../../dist/library/open.js").open} host.open
 * @param {string} host.place the name of a library that is not there yet, on disk or where a browser keeps it
 * @param {"full" | "engine"} host.effort of the first run; the others' is `engine`
 * @param {(file: string) => Promise<string>} host.read a file of test-vectors/
 * @param {object} [host.options] more options of runConformance
 * @param {(line: string) => void} host.log
 * @returns {Promise<import("./result.ts").Run[]>}
 */
export async function runRow({ runConformance, open, place, effort, read, options = {}, log }) {
  const conformance = (build, effort) =>
    runConformance({
      ...options,
      build,
      effort,
      onSuite: ({ suite, passed, cases, millis }) =>
        log(`${build}: ${suite}, ${passed}/${cases}, ${Math.round(millis)} ms`),
    });
  const report = await conformance("auto", effort);
  const library = await librarySuite(open, place, read).catch((error) => failedSuite("library, tiny", error));
  const runs = [runOf(report, [library])];
  for (const build of BUILDS.filter((name) => name !== report.build)) {
    const said = report.engine.attempts.find((attempt) => attempt.build === build);
    runs.push(
      said === undefined
        ? await conformance(build, "engine").then(runOf, (error) => refusedRun(build, error.message))
        : refusedRun(build, attemptReason(said)),
    );
  }
  return runs;
}

function runOf(report, more = []) {
  const suites = report.suites.map(({ suite, cases, passed, digest, firstMismatch }) => ({
    suite,
    cases,
    passed,
    digest,
    mismatch: firstMismatch === null ? null : JSON.stringify(firstMismatch).slice(0, 2000),
  }));
  return {
    build: report.build,
    effort: report.effort,
    refused: null,
    suites: [...suites, ...more],
    digest: report.digest,
    millis: report.millis,
  };
}

/** A build that this engine does not run, or runs wrong: the probe says so, and nothing is computed with it. */
function refusedRun(build, reason) {
  return { build, effort: "engine", refused: reason, suites: [], digest: null, millis: 0 };
}

function attemptReason(attempt) {
  if (attempt.verdict === "cannot run") return `cannot run: ${attempt.reason}`;
  const { check, where, expected, got } = attempt.failure;
  return `wrong answer to "${check}" (${where}): expected ${expected}, got ${got}`;
}

/**
 * A library of the published corpus, by `tiny`, which is written, closed and opened again: its root, and the receipt of
 * every published query in three modes.
 */
async function librarySuite(open, place, read) {
  const { parameters } = JSON.parse(await read("search.json"));
  const paths = new Set(parameters.chunks.map((chunk) => chunk.slice(33, chunk.lastIndexOf("#"))));
  const documents = [];
  for (const path of paths) documents.push({ path, text: await read(`corpus/${path}`) });
  const queries = (await read("queries.jsonl"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const written = await withLibrary(open, place, async (library) => {
    await library.add(documents);
    return library.root();
  });
  return withLibrary(open, place, async (library) => {
    const root = await library.root();
    if (root !== written) throw new Error(`expected the root ${written} to be there again, got ${root}`);
    const lines = [root];
    for (const { text } of queries) {
      for (const mode of ["hybrid", "semantic", "lexical"]) {
        lines.push((await library.search(text, { mode })).receipt.digest);
      }
    }
    const digest = await sha256(lines.join("\n"));
    return { suite: "library, tiny", cases: lines.length, passed: lines.length, digest, mismatch: null };
  });
}

async function withLibrary(open, place, work) {
  const library = await open(place, { model: "tiny", workers: 1 });
  try {
    return await work(library);
  } finally {
    await library.close();
  }
}

function failedSuite(suite, error) {
  return {
    suite,
    cases: 1,
    passed: 0,
    digest: null,
    mismatch: String(error?.message ?? error).slice(0, 500),
  };
}

async function sha256(text) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
