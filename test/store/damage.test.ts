import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { SelfsameError } from "#dist/errors/selfsame-error.js";
import { openDatabase } from "#dist/store/open.node.js";
import { checkIntegrity, prepareSchema } from "#dist/store/schema.js";
import { splitmix32 } from "../reference/prng.ts";
import { sampleChunk, sampleDocument } from "./sample.ts";
import { scratchFolder } from "./scratch.ts";

const folder = scratchFolder();
const FLIPS = import.meta.env.MODE === "long" ? 2000 : 200;
let whole: Buffer;

beforeAll(async () => {
  const path = join(folder, "whole.db");
  const database = await openDatabase(path);
  prepareSchema(database);
  const random = splitmix32(3);
  database.transaction(() => {
    for (let i = 0; i < 60; i++) {
      sampleDocument(database, i, `notes/${i}.md`, "text of the document ".repeat(i));
      for (let sequence = 0; sequence < 3; sequence++) {
        const words = Array.from({ length: 60 }, () => `word${random() % 500}`).join(" ");
        sampleChunk(database, i, sequence, words, `heading ${i}`);
      }
    }
  });
  // No free pages: every byte of the file counts.
  database.exec("VACUUM");
  database.close();
  whole = readFileSync(path);
});

/** Opens, looks everything over, reads everything, and tries to write; returns the error's code or "none". */
async function visit(path: string): Promise<string> {
  try {
    const database = await openDatabase(path);
    try {
      prepareSchema(database);
      checkIntegrity(database);
      database.all("SELECT * FROM documents JOIN texts USING (documentId) JOIN chunks USING (documentId)");
      database.all("SELECT rowid, bm25(search) FROM search WHERE search MATCH 'word1 OR word2 OR heading'");
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof SelfsameError) return error.code;
    throw error;
  }
  return "none";
}

async function visitBytes(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const code = await visit(path);
  expect(Buffer.compare(readFileSync(path), bytes)).toBe(0);
  return code;
}

describe("a damaged file", () => {
  test("that is whole gives no error", async () => {
    expect(await visitBytes("copy.db", whole)).toBe("none");
  });

  test("cut anywhere: a typed error, and not a byte changed", async () => {
    const pages = whole.byteLength / 4096;
    const sizes = [1, 15, 50, 99, 100, 511, 512, 1024, 4095, 4096, 4097, 8192];
    for (let page = 3; page < pages; page += Math.ceil(pages / 20))
      sizes.push(page * 4096, page * 4096 + 1000);
    sizes.push(whole.byteLength - 4096, whole.byteLength - 2000);
    for (const size of sizes) {
      const code = await visitBytes("cut.db", whole.subarray(0, size));
      expect([size, code]).toStrictEqual([size, "DATABASE_CORRUPT"]);
    }
  });

  test("with a flipped bit, wherever it is: a typed error, and not a byte changed", async () => {
    const random = splitmix32(11);
    for (let flip = 0; flip < FLIPS; flip++) {
      const bytes = Buffer.from(whole);
      // Every fourth in the header and the first page, where it does most.
      const position = random() % (flip % 4 === 0 ? 200 : bytes.byteLength);
      bytes[position]! ^= 1 << (random() % 8);
      const code = await visitBytes("flipped.db", bytes);
      expect([flip, code]).toStrictEqual([flip, "DATABASE_CORRUPT"]);
    }
  });

  test("whose page is garbage, or all zeros: a typed error", async () => {
    const random = splitmix32(12);
    for (let page = 0; page < whole.byteLength / 4096; page += 3) {
      for (const kind of ["zero", "noise"]) {
        const bytes = Buffer.from(whole);
        for (let i = 0; i < 4096; i++) bytes[page * 4096 + i] = kind === "zero" ? 0 : random();
        expect([page, kind, await visitBytes("page.db", bytes)]).toStrictEqual([
          page,
          kind,
          "DATABASE_CORRUPT",
        ]);
      }
    }
  });
});
