/** Bodies: their size and their time have limits, and the reason for a refusal is typed. */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { bodyBytes, bodyPieces } from "../../src/http/body.ts";

function request(pieces: Iterable<Buffer> | AsyncIterable<Buffer>, headers: Record<string, string> = {}) {
  return Object.assign(Readable.from(pieces, { objectMode: false }), {
    headers,
  }) as unknown as IncomingMessage;
}
const refusalOf = (status: number, code: string) =>
  expect.objectContaining({ refusal: expect.objectContaining({ status, code }) });

it("a body of exactly the limit is read whole, in order", async () => {
  const pieces = [Buffer.from("ab"), Buffer.from("c"), Buffer.from("de")];
  expect((await bodyBytes(request(pieces), { max: 5 })).toString()).toBe("abcde");
  expect((await bodyBytes(request([]), { max: 0 })).length).toBe(0);
});

it("a larger one is refused: by its length before a byte is read, by its bytes if it told another length", async () => {
  let isRead = false;
  const untouched = (async function* () {
    isRead = true;
    yield Buffer.alloc(1);
  })();
  await expect(bodyBytes(request(untouched, { "content-length": "6" }), { max: 5 })).rejects.toThrow(
    refusalOf(413, "PAYLOAD_TOO_LARGE"),
  );
  expect(isRead).toBe(false);
  const got: number[] = [];
  const reading = async () => {
    for await (const piece of bodyPieces(
      request([Buffer.alloc(4), Buffer.alloc(2)], { "content-length": "1" }),
      { max: 5 },
    ))
      got.push(piece.length);
  };
  await expect(reading()).rejects.toThrow(refusalOf(413, "PAYLOAD_TOO_LARGE"));
  expect(got).toEqual([4]);
});

it("a client that sends nothing more is cut off, and one that leaves is told apart", async () => {
  const silent = new Readable({ read: () => undefined });
  const waiting = Object.assign(silent, { headers: {} }) as unknown as IncomingMessage;
  await expect(bodyBytes(waiting, { max: 5, patienceMs: 20 })).rejects.toThrow(
    refusalOf(408, "REQUEST_TIMEOUT"),
  );
  const leaving = Object.assign(new Readable({ read: () => undefined }), { headers: {} });
  const read = bodyBytes(leaving as unknown as IncomingMessage, { max: 5 });
  leaving.destroy(new Error("gone"));
  await expect(read).rejects.toThrow(refusalOf(400, "BODY_INCOMPLETE"));
});
