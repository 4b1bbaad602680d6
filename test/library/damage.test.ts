import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { SelfsameError } from "#dist/errors/selfsame-error.js";
import { splitmix32 } from "../reference/prng.ts";
import { scratchFolder } from "../store/scratch.ts";
import { openTiny } from "./opened.ts";
import { type LibraryState, stateOf } from "./state.ts";
import { sampleDocument, sampleSteps, takeStep } from "./steps.ts";

const FLIPS = import.meta.env.MODE === "long" ? 600 : 40;
const CODES = ["DATABASE_CORRUPT"];
const OPTIONS = { index: "hnsw" } as const;
const QUERIES = [["note", "order", "number"], ["the same order"]] as const;
const PAGE = 4096;

const folder = scratchFolder();
let whole: Buffer;
let intact: LibraryState;

beforeAll(async () => {
  const path = join(folder, "whole.db");
  const opened = await openTiny(path, OPTIONS);
  for (const step of sampleSteps(12)) await takeStep(opened, step);
  intact = await stateOf(opened, ...QUERIES);
  await opened.library.close();
  whole = readFileSync(path);
});

/** Opens, reads everything; returns the error's code, or what the library says. */
async function read(path: string): Promise<string | LibraryState> {
  try {
    const opened = await openTiny(path, OPTIONS);
    try {
      return await stateOf(opened, ...QUERIES);
    } finally {
      await opened.library.close();
    }
  } catch (error) {
    if (error instanceof SelfsameError) return error.code;
    throw error;
  }
}

/** Adds a document; returns the error's code, or "none". */
async function write(path: string): Promise<string> {
  try {
    const { library } = await openTiny(path, OPTIONS);
    try {
      await library.add([sampleDocument("more", 1)]);
    } finally {
      await library.close();
    }
  } catch (error) {
    if (error instanceof SelfsameError) return error.code;
    throw error;
  }
  return "none";
}

/**
 * A typed error or the right answers, and reading changes not a byte. After an attempt to write, what was readable is so
 * still, unless the write succeeded.
 */
async function visit(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const found = await read(path);
  expect(Buffer.compare(readFileSync(path), bytes)).toBe(0);
  if (typeof found === "string") expect(CODES).toContain(found);
  else expect(found).toStrictEqual(intact);
  const code = await write(path);
  if (code === "none") return typeof found === "string" ? found : "none";
  expect(CODES).toContain(code);
  expect(await read(path)).toStrictEqual(found);
  return code;
}

describe("a library in a damaged file", () => {
  test("that is whole answers", async () => {
    expect(await visit("copy.db", whole)).toBe("none");
  });

  test("cut anywhere: a typed error, and not a byte changed", async () => {
    const pages = whole.byteLength / PAGE;
    const sizes = [1, 99, 512, PAGE, PAGE + 1, whole.byteLength - PAGE, whole.byteLength - 1];
    for (let page = 3; page < pages; page += Math.ceil(pages / 8)) sizes.push(page * PAGE);
    for (const size of sizes) {
      expect([size, await visit("cut.db", whole.subarray(0, size))]).toStrictEqual([
        size,
        "DATABASE_CORRUPT",
      ]);
    }
  });

  test("with a flipped bit: a typed error or the right answers, and nothing worse on disk", async () => {
    const random = splitmix32(21);
    let noticed = 0;
    for (let flip = 0; flip < FLIPS; flip++) {
      const bytes = Buffer.from(whole);
      const position = random() % (flip % 4 === 0 ? 200 : bytes.byteLength);
      bytes[position]! ^= 1 << (random() % 8);
      if ((await visit("flipped.db", bytes)) !== "none") noticed++;
    }
    // The others lie in pages that hold nothing.
    expect(noticed).toBeGreaterThan(FLIPS / 2);
  });
});
