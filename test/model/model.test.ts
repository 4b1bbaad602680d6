import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Float16Array } from "@petamoriken/float16";
import { type Build, SelfsameError } from "selfsame";
import { BUILDS, loadModel, type Model } from "selfsame/engine";
import { beforeAll, describe, expect, it } from "vitest";
import type { Tensor } from "#dist/model/safetensors.js";
import {
  manifestOf,
  safetensors,
  tinyFiles,
  tinyManifest,
  tinyTensors,
  writeSafetensors,
} from "./tiny-model.ts";

const load = async (weights: Uint8Array, changes = {}, build: Build = "simd"): Promise<Model> => {
  const files = { ...tinyFiles, weights };
  return (await loadModel({ build, model: manifestOf(files, changes), files })).model;
};

/** The error that loading gives, which must be typed. */
async function refusal(loading: Promise<unknown>): Promise<SelfsameError> {
  const error = await loading.then(
    () => new Error("it was accepted"),
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(SelfsameError);
  return error as SelfsameError;
}

const floats = (tensor: Tensor): Float32Array => new Float32Array(tensor.bytes.slice().buffer);
const f32 = (shape: readonly number[], values: Float32Array): Tensor => ({
  dtype: "F32",
  shape,
  bytes: new Uint8Array(values.slice().buffer),
});

/** The tiny model with one element of one tensor changed. */
function withElement(name: string, value: number): Uint8Array {
  const tensors = tinyTensors();
  const values = floats(tensors.get(name)!);
  values[values.length >> 1] = value;
  tensors.set(name, f32(tensors.get(name)!.shape, values));
  return writeSafetensors(tensors);
}

describe("what a model file may be", () => {
  it("binary16 and binary32 files of the same values give the same vectors", async () => {
    const halves = new Map<string, Tensor>();
    const widened = new Map<string, Tensor>();
    for (const [name, tensor] of tinyTensors()) {
      const half = new Float16Array(floats(tensor));
      halves.set(name, { dtype: "F16", shape: tensor.shape, bytes: new Uint8Array(half.buffer.slice(0)) });
      widened.set(name, f32(tensor.shape, new Float32Array(half)));
    }
    for (const build of BUILDS) {
      const a = await load(writeSafetensors(halves), {}, build);
      const b = await load(writeSafetensors(widened), {}, build);
      for (const text of ["", "the cat sat", "one two three four five six seven"]) {
        expect(a.embed(text)).toEqual(b.embed(text));
      }
    }
  });

  it("names may do without the prefix bert., the order of tensors is free, others are ignored", async () => {
    const entries = [...tinyTensors()]
      .reverse()
      .map(([name, tensor]) => [name.replace("bert.", ""), tensor] as [string, Tensor]);
    entries.push(["pooler.dense.bias", { dtype: "I64", shape: [1], bytes: new Uint8Array(8) }]);
    const plain = await load(tinyFiles.weights);
    expect((await load(writeSafetensors(entries))).embed("the cat")).toEqual(plain.embed("the cat"));
  });
});

describe("files that are refused", () => {
  const header = (entry: unknown) => JSON.stringify({ a: entry });
  const cases: [what: string, bytes: () => Uint8Array, message: RegExp][] = [
    ["seven bytes", () => new Uint8Array(7), /8 bytes or more, got 7 bytes/],
    [
      "a header longer than the file",
      () => safetensors("{}", new Uint8Array(0), 1000n),
      /at most 2 bytes, got 1000/,
    ],
    [
      "a header of 2^63 bytes",
      () => safetensors("{}", new Uint8Array(0), 1n << 63n),
      /at most 2 bytes, got 9223372036854775808/,
    ],
    ["a header over 1 MiB", () => safetensors(`${" ".repeat(1 << 20)}{}`), /at most 1048576 bytes/],
    ["a header that is no JSON", () => safetensors("{nope"), /UTF-8 JSON/],
    ["a header that is no object", () => safetensors("[1]"), /JSON object/],
    [
      "an unknown dtype",
      () => safetensors(header({ dtype: "F4", shape: [1], data_offsets: [0, 1] })),
      /dtype of a, got "F4"/,
    ],
    [
      "a negative shape",
      () => safetensors(header({ dtype: "F32", shape: [-1], data_offsets: [0, 4] })),
      /whole numbers of a/,
    ],
    [
      "bytes past the end",
      () => safetensors(header({ dtype: "F32", shape: [2], data_offsets: [0, 8] }), new Uint8Array(4)),
      /within the file's 4, got 0 to 8/,
    ],
    [
      "a range backwards",
      () => safetensors(header({ dtype: "F32", shape: [1], data_offsets: [4, 0] }), new Uint8Array(4)),
      /within the file/,
    ],
    [
      "a length that is not the shape's",
      () => safetensors(header({ dtype: "F32", shape: [3], data_offsets: [0, 8] }), new Uint8Array(8)),
      /12 bytes of a .*got 8 bytes/,
    ],
    [
      "a shape whose product is huge",
      () =>
        safetensors(
          header({ dtype: "F32", shape: [2 ** 40, 2 ** 40], data_offsets: [0, 8] }),
          new Uint8Array(8),
        ),
      /bytes of a/,
    ],
    [
      "overlapping tensors",
      () =>
        safetensors(
          JSON.stringify({
            a: { dtype: "F32", shape: [2], data_offsets: [0, 8] },
            b: { dtype: "F32", shape: [2], data_offsets: [4, 12] },
          }),
          new Uint8Array(12),
        ),
      /a and b overlapping/,
    ],
    [
      "an inherited name as a dtype",
      () => safetensors(header({ dtype: "constructor", shape: [1], data_offsets: [0, 1] })),
      /dtype of a, got "constructor"/,
    ],
    [
      "a header nested 500,000 deep",
      () => safetensors("[".repeat(500_000) + "]".repeat(500_000)),
      /nested 500000 deep, where 64/,
    ],
    [
      "a shape nested 450,000 deep",
      () =>
        safetensors(
          `{"a":{"dtype":"F32","shape":${"[".repeat(450_000)}${"]".repeat(450_000)},"data_offsets":[0,4]}}`,
        ),
      /nested 450002 deep, where 64/,
    ],
    ["500,000 brackets that never close", () => safetensors("[".repeat(500_000)), /nested 500000 deep/],
    ["no tensors", () => safetensors("{}"), /word_embeddings.weight as F16 or F32 \[539, 32\], got nothing/],
  ];
  for (const [what, bytes, message] of cases) {
    it(what, async () => {
      const error = await refusal(load(bytes()));
      expect(error.code).toBe("BAD_MODEL");
      expect(error.message).toMatch(message);
      expect(error.message).toContain("test.safetensors");
    });
  }

  it("every tensor that is missing, of another shape or of another dtype, by name", async () => {
    for (const name of tinyTensors().keys()) {
      const missing = tinyTensors();
      missing.delete(name);
      expect((await refusal(load(writeSafetensors(missing)))).message).toContain(`${name} as F16 or F32`);
      const reshaped = tinyTensors();
      const tensor = reshaped.get(name)!;
      reshaped.set(name, { ...tensor, shape: [...tensor.shape, 1] });
      expect((await refusal(load(writeSafetensors(reshaped)))).message).toContain(name);
      const retyped = tinyTensors();
      retyped.set(name, { ...tensor, dtype: "I32" });
      expect((await refusal(load(writeSafetensors(retyped)))).message).toMatch(/got I32/);
    }
  });

  it("NaN or infinity in any tensor, on every build", async () => {
    for (const build of BUILDS) {
      for (const name of tinyTensors().keys()) {
        if (name === "bert.embeddings.token_type_embeddings.weight") continue; // its middle is in type 1, which is not used
        for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
          const error = await refusal(load(withElement(name, value), {}, build));
          expect([error.code, error.message]).toEqual([
            "BAD_MODEL",
            `test.safetensors: ${name}: expected finite weights, got a NaN or an infinity`,
          ]);
        }
      }
    }
  });

  it("a truncated and a tampered file, by digest", async () => {
    const cut = { ...tinyFiles, weights: tinyFiles.weights.subarray(0, -1) };
    expect((await refusal(loadModel({ model: tinyManifest, files: cut }))).message).toMatch(
      /expected 150088 bytes, got 150087/,
    );
    const weights = tinyFiles.weights.slice();
    weights[weights.length - 3]! ^= 1;
    expect(
      (await refusal(loadModel({ model: tinyManifest, files: { ...tinyFiles, weights } }))).message,
    ).toMatch(/sha256 f85305d2.*, got /);
  });

  it("a tokenizer of another model", async () => {
    const json = JSON.parse(new TextDecoder().decode(tinyFiles.tokenizer));
    const last = Object.keys(json.model.vocab).length;
    json.model.vocab["another"] = last;
    const files = { ...tinyFiles, tokenizer: new TextEncoder().encode(JSON.stringify(json)) };
    const error = await refusal(loadModel({ model: manifestOf(files), files }));
    expect([error.code, error.message]).toEqual([
      "BAD_TOKENIZER",
      `test-tokenizer.json: expected 539 tokens, got 540. The tokenizer belongs to another model`,
    ]);
  });

  it("manifests with a field that cannot be", async () => {
    const { files } = tinyManifest;
    const { weights } = files;
    const circle: Record<string, unknown> = {};
    circle["again"] = circle;
    const counts = ["hidden", "layers", "heads", "intermediate", "vocabulary", "positions", "types", "limit"];
    const bad: Record<string, unknown>[] = [
      { architecture: "gpt" },
      { pooling: "cls" },
      { hidden: 30 },
      { hidden: 4104 },
      { heads: 5 },
      { heads: 8 },
      { intermediate: 1.5 },
      { layers: 65 },
      { vocabulary: 2 ** 20 + 1 },
      { types: 2 ** 20 + 1 },
      { limit: 65 },
      { limit: 1 },
      { layerNormEps: 0 },
      { layerNormEps: 5n },
      { layerNormEps: "1e-12" },
      { name: "" },
      { name: 5n },
      { name: Symbol("tiny") },
      { name: "x".repeat(257) },
      { package: "../../etc" },
      { package: "file:///etc" },
      { files: {} },
      { files: 5n },
      { files: circle },
      // Beyond i32 a number would wrap around on its way into the engine.
      ...counts.flatMap((field) =>
        [0, -8, 2 ** 31, 2 ** 32 + 8, 2 ** 53, Number.NaN, 8n, 2n ** 64n, [8], circle].map((value) => ({
          [field]: value,
        })),
      ),
      ...[0, -1, 2 ** 31, 2 ** 53, 10n, "10"].map((bytes) => ({
        files: { ...files, weights: { ...weights, bytes } },
      })),
      ...[
        "",
        "/etc/passwd",
        "../x",
        "a/../../x",
        "..",
        "http://127.0.0.1/x",
        "file:///etc/passwd",
        "a\\b",
        "x?y",
        5n,
      ].map((path) => ({ files: { ...files, weights: { ...weights, path } } })),
      ...["ABC", "", 5n, null].map((sha256) => ({ files: { ...files, weights: { ...weights, sha256 } } })),
    ];
    for (const change of bad) {
      const error = await refusal(load(tinyFiles.weights, change));
      expect([error.code, change]).toEqual(["BAD_MODEL", change]);
      expect(error.message).toContain(Object.keys(change)[0]);
      expect(error.message.length).toBeLessThan(400);
    }
  });

  it("values that are no manifest, or that throw when they are read", async () => {
    const throwing = { ...tinyManifest };
    Object.defineProperty(throwing, "hidden", {
      enumerable: true,
      get: () => {
        throw new RangeError("no");
      },
    });
    let deep: unknown = [];
    for (let i = 0; i < 100_000; i++) deep = [deep];
    for (const model of [[], throwing, { ...tinyManifest, hidden: deep }, new Map()]) {
      const error = await refusal(loadModel({ model: model as never, files: tinyFiles }));
      expect(error.code).toBe("BAD_MODEL");
    }
  });

  it("a manifest file that is too large, too deep, or no JSON", async () => {
    const folder = mkdtempSync(join(tmpdir(), "selfsame-manifest-"));
    const file = join(folder, "model.json");
    for (const [text, code] of [
      ["", "BAD_MODEL"],
      ["{", "BAD_MODEL"],
      ["[".repeat(500_000), "BAD_MODEL"],
      [`${" ".repeat(1 << 20)}{}`, "FILE_TOO_LARGE"],
    ] as const) {
      writeFileSync(file, text);
      expect((await refusal(loadModel({ model: pathToFileURL(file) }))).code).toBe(code);
    }
    rmSync(folder, { recursive: true });
  });

  it("names that are no model", async () => {
    expect((await refusal(loadModel({ model: "nope" }))).code).toBe("FILE_MISSING");
    for (const model of ["../package", "://", "http://"])
      expect((await refusal(loadModel({ model }))).code).toBe("BAD_ARGUMENT");
  });
});

describe("weights that overflow binary32", () => {
  it("are a typed error at the first text, on every build, and the engine stays usable", async () => {
    for (const build of BUILDS) {
      const tensors = tinyTensors();
      const gamma = floats(tensors.get("bert.encoder.layer.0.output.LayerNorm.weight")!).fill(3e38);
      tensors.set("bert.encoder.layer.0.output.LayerNorm.weight", f32([32], gamma));
      const model = await load(writeSafetensors(tensors), {}, build);
      for (let i = 0; i < 3; i++) expect(() => model.embed("the cat")).toThrow(/finite activations of tiny/);
      expect(model.tokenize("the cat").ids.length).toBeGreaterThan(2);
    }
  });
});

describe("texts", () => {
  const models = new Map<Build, Model>();
  beforeAll(async () => {
    for (const build of BUILDS) models.set(build, (await loadModel({ build, model: "tiny" })).model);
  });
  const everywhere = (text: string | Uint8Array) => {
    const [first, ...rest] = [...models.values()].map((model) => model.embed(text));
    for (const other of rest) expect(other).toEqual(first);
    return first!;
  };

  it("nothing, controls and white space are all [CLS] [SEP]", () => {
    const empty = everywhere("");
    expect(empty.tokens).toBe(2);
    for (const text of [
      "\u0000\u0001\u0007",
      " \n\t\r\n ",
      "\u200b\ufeff",
      new Uint8Array([0xef, 0xbb, 0xbf]),
    ]) {
      expect(everywhere(text)).toEqual(empty);
    }
  });

  it("forms of one text give one vector: NFC and NFD, newlines, trailing space", () => {
    expect(everywhere("café\r\nolé")).toEqual(everywhere("cafe\u0301 \nole\u0301\n"));
  });

  it("lone surrogates are U+FFFD", () => {
    expect(everywhere("a \ud800 b")).toEqual(everywhere("a \ufffd b"));
  });

  it("10 MB of text is cut at the limit and says so; one word of 10 MB is unknown; both leave the engine whole", () => {
    const before = everywhere("the cat");
    const long = everywhere("the cat sat on a mat. ".repeat(460_000));
    expect(long).toMatchObject({ tokens: 64, truncated: true });
    expect(everywhere("x".repeat(10_000_000))).toMatchObject({ tokens: 3, truncated: false });
    expect(everywhere("the cat")).toEqual(before);
  });

  it("ids that the model does not have are refused", () => {
    for (const model of models.values()) {
      for (const ids of [[], [539], [-1], new Array(65).fill(1)]) {
        expect(() => model.embedIds(ids)).toThrow(/expected 1 to 64 ids below 539/);
      }
    }
  });

  it("vectors are unit length as integers, and digests name them", () => {
    const { vector, digest } = everywhere("the quick brown fox");
    const norm = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
    expect(Math.abs(norm - 32767)).toBeLessThan(Math.sqrt(32) / 2);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("a model with heads wider than its limit", () => {
  it.each(BUILDS)("embeds in the build %s as with room for more tokens", async (build) => {
    const ids = [2, 10, 20, 30, 40, 50, 60, 3];
    const [narrow, wide] = await Promise.all(
      [8, 64].map((limit) =>
        loadModel({ build, model: { ...tinyManifest, heads: 1, limit }, files: tinyFiles }),
      ),
    );
    expect(narrow!.model.embedIds(ids)).toEqual(wide!.model.embedIds(ids));
  });
});
