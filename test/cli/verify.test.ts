/** `selfsame verify` and `selfsame doctor`, run as people run them. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "selfsame";
import { checkDevice } from "selfsame";
import { SUITE_NAMES } from "selfsame/conformance";
import { beforeAll, describe, expect, it } from "vitest";
import { dottingUnsigned, flushingResults } from "../engine/faulty-device.ts";
import { scratchFolder } from "../store/scratch.ts";

const root = join(import.meta.dirname, "../..");
const MAIN = join(root, "dist/cli.bundle/main.js");
const folder = scratchFolder();

function run(...args: string[]) {
  const env = { ...process.env, NO_COLOR: "1" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd: folder,
    encoding: "utf8",
    env,
  });
  return { status, stdout, stderr };
}

describe("selfsame verify", () => {
  it("prints a row for each suite, and what two devices compare", () => {
    const { status, stdout, stderr } = run("verify", "--only", "digest", "identity", "--build", "scalar");
    expect([status, stderr]).toEqual([0, ""]);
    const lines = stdout.split("\n");
    expect(lines[0]).toMatch(/^suite +cases +passed +time +digest$/);
    expect(lines[1]).toMatch(/^digest +35 +35 +[0-9.]+ m?s +[0-9a-f]{16}$/);
    expect(lines[2]).toMatch(/^identity +75 +75 +[0-9.]+ m?s +[0-9a-f]{16}$/);
    expect(stdout).toMatch(/Same\. All 110 cases passed, to the bit \(build scalar, [0-9.]+ m?s\)/);
    expect(stdout).toMatch(/\ndigest {2}[0-9a-f]{64}\ncanon {3}[0-9a-f]{64}\nSPEC {4}version 2\n/);
  });

  it("runs every suite, and gives one document", () => {
    // The search of a whole library takes longest; conformance.test.ts has it in every run.
    const effort = import.meta.env.MODE === "long" ? "full" : "engine";
    const { status, stdout, stderr } = run("verify", "--json", "--effort", effort);
    expect([status, stderr]).toEqual([0, ""]);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ isSame: true, effort, engine: { asked: "auto" } });
    const files = new Set(report.suites.map(({ file }: { file: string }) => file));
    expect([...files]).toEqual(
      SUITE_NAMES.filter((name) => effort === "full" || !["search", "recall"].includes(name)),
    );
    for (const { cases, passed, digest, firstMismatch } of report.suites) {
      expect(cases).toBeGreaterThan(0);
      expect([passed, firstMismatch]).toEqual([cases, null]);
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  describe("of vectors with one wrong bit", () => {
    const copy = join(folder, "vectors");
    let expected: string;
    let wrong: string;
    beforeAll(() => {
      cpSync(join(root, "test-vectors"), copy, { recursive: true });
      const file = join(copy, "kernels.json");
      const vectors = JSON.parse(readFileSync(file, "utf8"));
      const changed = vectors.cases.find(({ kernel }: { kernel: string }) => kernel === "gelu");
      expected = changed.out;
      wrong = expected.replace(/^./, (digit) => (Number.parseInt(digit, 16) ^ 8).toString(16));
      changed.out = wrong;
      changed.name = "the changed one";
      writeFileSync(file, JSON.stringify(vectors));
    });

    it("shows the first mismatch in full, and ends with 1", () => {
      const { status, stdout } = run("verify", "--vectors", copy, "--only", "kernels", "dot");
      expect(status).toBe(1);
      expect(stdout).toMatch(/^kernels +112 +111 /m);
      expect(stdout).toMatch(/^dot +35 +35 /m);
      expect(stdout).toContain("kernels: 1 of 112 cases differs. The first:");
      expect(stdout).toMatch(/^ {2}case +gelu: the changed one$/m);
      expect(stdout).toMatch(/^ {2}what +out$/m);
      expect(stdout).toMatch(/^ {2}expected +[0-9a-f]{8,}$/m);
      expect(stdout).toMatch(/^ {2}got +[0-9a-f]{8,}$/m);
      expect(stdout).toContain("Different. 1 of 147 cases did not pass");
    });

    it("says so in the document", () => {
      const { status, stdout } = run("verify", "--vectors", copy, "--only", "kernels", "--json");
      expect(status).toBe(1);
      const { isSame, suites } = JSON.parse(stdout);
      expect(isSame).toBe(false);
      const { firstMismatch } = suites[0];
      expect(firstMismatch).toMatchObject({ case: "gelu: the changed one", what: "out" });
      expect(Number.parseInt(firstMismatch.expected[0], 16) ^ Number.parseInt(firstMismatch.got[0], 16)).toBe(
        8,
      );
      expect(firstMismatch.expected.slice(1)).toBe(firstMismatch.got.slice(1));
    });
  });

  it.each([
    [
      ["--only", "arithmetic"],
      2,
      /^selfsame: BAD_ARGUMENT: expected --only to name arith, .*got "arithmetic"/,
    ],
    [["--vectors", "nowhere", "--only", "dot"], 1, /FILE_MISSING: .*nowhere\/dot\.json/],
    [["--build", "fast"], 2, /Allowed choices are auto, simd, soft, scalar/],
  ])("refuses %o", (args, code, message) => {
    const { status, stdout, stderr } = run("verify", ...args);
    expect([status, stdout]).toEqual([code, ""]);
    expect(stderr).toMatch(message);
  });

  it.each([
    ["no cases", '{"cases":[]}', /expected digest\.json to hold cases, got none/],
    ["another shape", '{"vectors":{}}', /expected digest\.json to hold a list of cases, got something else/],
    ["cases that are none", '{"cases":[1]}', /expected digest\.json to hold a list of cases/],
    ["only its first half", '{"cases":[{"na', /expected digest\.json to hold JSON, got/],
  ])("of a file with %s is no verdict on the device", (_, text, message) => {
    const copy = join(folder, "bad-vectors");
    mkdirSync(copy, { recursive: true });
    writeFileSync(join(copy, "digest.json"), text);
    const { status, stdout, stderr } = run("verify", "--vectors", copy, "--only", "digest");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/Copy the file again from test-vectors/); // a browser's way out would be another
  });
});

describe("selfsame doctor", () => {
  const doctor = (...args: string[]) => {
    const { status, stdout, stderr } = run("doctor", "--model", "tiny", "--json", ...args);
    expect(stderr).toBe("");
    const report = JSON.parse(stdout) as {
      isSound: boolean;
      library: string | null;
      findings: (Finding & { section: string })[];
    };
    const bad = report.findings.filter(({ verdict }) => verdict !== "ok");
    expect(status).toBe(bad.some(({ verdict }) => verdict === "problem") ? 1 : 0);
    expect(report.isSound).toBe(status === 0);
    return { ...report, bad };
  };
  const library = join(folder, "library.db");
  beforeAll(() => {
    mkdirSync(join(folder, "docs"));
    for (let i = 0; i < 8; i++) {
      writeFileSync(join(folder, `docs/${i}.md`), `# Note ${i}\n\nThe order of note ${i} is ${i * 7919}.\n`);
    }
    expect(run("index", "docs", "--db", library, "--model", "tiny").status).toBe(0);
  });

  it("without a library checks the device", () => {
    const { findings, library: name } = doctor();
    expect(name).toBeNull();
    expect(findings.map(({ section, subject }) => `${section}: ${subject}`)).toEqual([
      ...["runtime", "CPU", "memory"].map((subject) => `host: ${subject}`),
      ...[
        "engine simd",
        "engine soft",
        "engine scalar",
        "SQLite",
        "model weights",
        "model tokenizer",
        "canon",
        "disk",
      ].map((subject) => `package: ${subject}`),
      "library: library",
    ]);
    const said = (subject: string) => findings.find((each) => each.subject === subject)!.detail;
    expect(said("runtime")).toContain(process.versions.node);
    expect(said("engine simd")).toBe("accepted by the probe, in use");
    expect(said("SQLite")).toMatch(/^3\.53\.0, sha256 c2c86269d8fd0b09[0-9a-f]{48}/);
    const { sha256 } = JSON.parse(readFileSync(join(root, "models/tiny.json"), "utf8")).files.weights;
    expect(said("model weights")).toContain(sha256);
  });

  it("checks a library that it is given", () => {
    const { findings, bad, library: name } = doctor("--db", library, "--full");
    expect(bad).toEqual([]);
    expect(name).toBe(library);
    expect(findings.filter(({ section }) => section === "library").map(({ subject }) => subject)).toEqual([
      ...[
        "library",
        "file",
        "access",
        "word index",
        "vocabulary",
        "root",
        "metadata root",
        "chunks",
        "vectors",
        "graph",
      ],
    ]);
  });

  it("prints it for people, of the library's own model", () => {
    const { status, stdout } = run("doctor", "--db", library);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^✓ model weights +tiny, /m);
    expect(stdout).toMatch(/^✓ library +library\.db, 8 documents, 8 chunks$/m);
    expect(stdout).toMatch(/^host$/m);
    expect(stdout).toMatch(/^✓ CPU /m);
    expect(stdout).toMatch(/^✓ root +[0-9a-f]{64}, recomputed from 8 documents$/m);
    expect(stdout).toMatch(/^✓ vectors +of all 8 chunks; all 8 vectors re-embedded, equal to the bit$/m);
    expect(stdout).toContain("All is well.");
  });

  it("finds a bit that turned in the file, and says what to do", () => {
    const bytes = readFileSync(library);
    bytes[bytes.indexOf("The order of note 3")]! ^= 1;
    const damaged = join(folder, "damaged.db");
    writeFileSync(damaged, bytes, { mode: 0o600 });
    const { bad } = doctor("--db", damaged);
    expect(bad[0]).toMatchObject({ section: "library", subject: "file", verdict: "problem" });
    expect(bad[0]!.wayOut).toMatch(/^Restore a backup/);
    const { status, stdout } = run("doctor", "--model", "tiny", "--db", damaged);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^✗ file +DATABASE_CORRUPT: .*\n +→ Restore a backup/m);
    expect(stdout).toMatch(/^[1-9] problems?, 0 warnings\.$/m);
  });

  it.each([
    ["a library that is not there", ["--db", "none.db"], /^FILE_MISSING/, /selfsame index/],
    ["one of another model", ["--db", library, "--model", "all-MiniLM-L6-v2"], /^CANON_MISMATCH/, /--force/],
    ["a file that is none", ["--db", join(root, "package.json")], /^DATABASE_(CORRUPT|FOREIGN)/, /./],
  ])("reports %s", (_, args, detail, wayOut) => {
    const { bad } = doctor(...args);
    expect(bad).toHaveLength(1);
    expect(bad[0]!.detail).toMatch(detail);
    expect(bad[0]!.wayOut).toMatch(wayOut);
  });
});

describe("a device", () => {
  const wasm = (build: string) => new Uint8Array(readFileSync(join(root, `build/engine.${build}.wasm`)));
  const builds = (findings: readonly Finding[]) =>
    findings.filter(({ subject }) => subject.startsWith("engine "));

  it("whose f32x4 flushes subnormals is told why it is slow", async () => {
    const found = builds(
      await checkDevice({
        model: "tiny",
        source: (build) => (build === "simd" ? flushingResults(wasm(build), "f32x4") : wasm(build)),
      }),
    );
    expect(found.map(({ verdict }) => verdict)).toEqual(["warning", "ok", "ok"]);
    expect(found[0]!.detail).toMatch(/simd: wrong answer to ".*subnormal.*" \(lane 0\), expected/);
    expect(found.map(({ detail }) => detail.includes("in use"))).toEqual([false, true, false]);
  });

  it("without a build that it runs right has a problem, and no canon", async () => {
    const findings = await checkDevice({
      model: "tiny",
      source: (build) =>
        build === "scalar" ? new Uint8Array([0, 97, 115, 109, 9, 0, 0, 0]) : dottingUnsigned(wasm(build)),
    });
    expect(builds(findings).map(({ verdict }) => verdict)).toEqual(["problem", "problem", "problem"]);
    expect(builds(findings)[2]!.detail).toMatch(/cannot run here/);
    expect(findings.some(({ subject }) => subject === "canon")).toBe(false);
  });

  it("whose model's file is cut has a problem", async () => {
    const file = (name: string) => new Uint8Array(readFileSync(join(root, "models/tiny", name)));
    const findings = await checkDevice({
      model: "tiny",
      files: { weights: file("model.safetensors").subarray(1), tokenizer: file("tokenizer.json") },
    });
    expect(findings.filter(({ verdict }) => verdict !== "ok")).toMatchObject([
      { subject: "model weights", verdict: "problem", wayOut: expect.stringMatching(/download it again/) },
    ]);
  });
});
