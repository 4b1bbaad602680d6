import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutJobs, decodeJob, encodeJob, JOB_BYTES_MAX, JOB_TEXTS_MAX, jobId } from "#dist/cluster/job.js";
import { decodeResult, encodeResult } from "#dist/cluster/job-result.js";
import { SelfsameError } from "#dist/errors/selfsame-error.js";
import { loadBuild } from "../engine/engines.ts";
import { hash } from "../reference/identity.ts";

const long = import.meta.env.MODE === "long";
const engine = loadBuild("simd");
const model = new Uint8Array(32).fill(7);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const texts = fc.array(fc.uint8Array({ maxLength: 20 }), { minLength: 1, maxLength: 12 });

const badData = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return error instanceof SelfsameError && error.code === "BAD_CLUSTER_DATA";
  }
  return false;
};

describe("jobs", () => {
  it("have the id that SPEC says, by the reference", () => {
    fc.assert(
      fc.property(texts, (given) => {
        expect(jobId(engine, model, given)).toBe(hex(hash("job", model, ...given)));
      }),
      { numRuns: long ? 1000 : 100 },
    );
  });

  it("hold every text once, in order, within their limits", () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 40 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 600 }), (some, small) => {
        const given = [...some, ...new Array<number>(small).fill(3)].map((length, i) => ({
          text: new Uint8Array(length).fill(i),
          path: `${i}.md`,
        }));
        const jobs = cutJobs(engine, model, given);
        expect(jobs.flatMap((job) => job.texts.map(hex))).toEqual(given.map(({ text }) => hex(text)));
        for (const job of jobs) {
          const bytes = job.texts.reduce((sum, text) => sum + text.length, 0);
          expect(job.texts.length).toBeLessThanOrEqual(JOB_TEXTS_MAX);
          expect(job.texts.length === 1 || bytes <= JOB_BYTES_MAX).toBe(true);
          expect(encodeJob(job).length).toBeLessThan(1 << 20);
        }
        // No two neighbours would have fitted into one job.
        for (const [i, job] of jobs.slice(1).entries()) {
          const before = jobs[i]!;
          const bytes = before.texts.reduce((sum, text) => sum + text.length, 0);
          const fits = before.texts.length < JOB_TEXTS_MAX && bytes + job.texts[0]!.length <= JOB_BYTES_MAX;
          expect(fits).toBe(false);
        }
      }),
      { numRuns: long ? 200 : 10 },
    );
  });

  it("come back from their messages", () => {
    fc.assert(
      fc.property(texts, fc.string({ unit: "grapheme", maxLength: 50 }), (given, path) => {
        const [job] = cutJobs(
          engine,
          model,
          given.map((text) => ({ text, path })),
        );
        expect(decodeJob(engine, encodeJob(job!))).toEqual(job);
      }),
      { numRuns: long ? 1000 : 100 },
    );
  });

  it("refuse every message that is cut short, and bytes that are none", () => {
    const [job] = cutJobs(engine, model, [{ text: new Uint8Array([1, 2, 3]), path: "a.md" }]);
    const message = encodeJob(job!);
    for (let length = 0; length < message.length; length++)
      expect(badData(() => decodeJob(engine, message.subarray(0, length)))).toBe(true);
    const huge = message.slice();
    huge.set([255, 255, 255, 255]); // a length beyond the message
    expect(badData(() => decodeJob(engine, huge))).toBe(true);
  });
});

describe("results", () => {
  const [job] = cutJobs(
    engine,
    model,
    [1, 2, 3].map((i) => ({ text: new Uint8Array([i, i]), path: "a.md" })),
  );
  const vectors = [1, 2, 3].map((i) => new Int16Array(8).fill(i));
  const bytes = encodeResult(job!, "worker-1", vectors);

  it("carry the texts, the vectors and who computed them", () => {
    const result = decodeResult(engine, job!.id, bytes, 8);
    expect(result.worker).toBe("worker-1");
    expect(result.texts.map(hex)).toEqual(job!.texts.map(hex));
    expect(result.vectors.map((vector) => new DataView(vector.slice().buffer).getInt16(0, true))).toEqual([
      1, 2, 3,
    ]);
  });

  it("are refused under another id, with another dimension, and damaged", () => {
    expect(badData(() => decodeResult(engine, "00".repeat(32), bytes, 8))).toBe(true);
    expect(badData(() => decodeResult(engine, job!.id, bytes, 16))).toBe(true);
    for (let length = 0; length < bytes.length; length++)
      expect(badData(() => decodeResult(engine, job!.id, bytes.subarray(0, length), 8))).toBe(true);
  });
});
