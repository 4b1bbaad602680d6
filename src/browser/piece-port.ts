// A stream of bytes between the page and the Worker, over a port. One piece at a time: the reader asks for each.
import type { PackSource } from "../index.ts";
import { type ErrorRecord, errorOfRecord, errorRecord } from "../library/browser-entry.ts";

type Asked = "open" | "next" | "close";
type Piece =
  | { readonly bytes: Uint8Array | null; readonly error?: undefined }
  | { readonly bytes?: undefined; readonly error: ErrorRecord };

/** Answers with the pieces of a stream, or of a function that opens one again and again. Returns how to end it. */
export function servePieces(port: MessagePort, source: Exclude<PackSource, Uint8Array | Blob>): () => void {
  let pieces: AsyncIterator<Uint8Array> | null = null;
  const answer = async (asked: Asked): Promise<Uint8Array | null> => {
    if (asked === "open") {
      const stream = typeof source === "function" ? await source() : source;
      pieces = Symbol.asyncIterator in stream ? stream[Symbol.asyncIterator]() : readerOf(stream);
      return null;
    }
    if (asked === "next") {
      const { done, value } = await pieces!.next();
      return done === true ? null : value;
    }
    await pieces?.return?.();
    return null;
  };
  port.onmessage = async ({ data }: MessageEvent<Asked>) => {
    try {
      port.postMessage({ bytes: await answer(data) } satisfies Piece);
    } catch (error) {
      port.postMessage({ error: errorRecord(error) } satisfies Piece);
    }
  };
  return () => port.close();
}

function readerOf(stream: ReadableStream<Uint8Array>): AsyncIterator<Uint8Array> {
  const reader = stream.getReader();
  return {
    async next() {
      const { done, value } = await reader.read();
      return done ? { done: true, value: undefined } : { done: false, value };
    },
    async return() {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

/** Reads the stream at the other end of a port. */
export async function* readPieces(port: MessagePort): AsyncGenerator<Uint8Array, void> {
  const ask = (what: Asked) =>
    new Promise<Uint8Array | null>((resolve, reject) => {
      port.onmessage = ({ data }: MessageEvent<Piece>) => {
        if (data.error === undefined) resolve(data.bytes);
        else reject(errorOfRecord(data.error));
      };
      port.postMessage(what);
    });
  await ask("open");
  try {
    for (let piece = await ask("next"); piece !== null; piece = await ask("next")) yield piece;
  } finally {
    await ask("close");
  }
}
