import type { IncomingMessage, ServerResponse } from "node:http";
import { basename } from "node:path";
import { answerJson, bodyBytes, RefusedRequest, refusalBody } from "../http/index.ts";
import type { ProgressEvent } from "../index.ts";
import { errorRecord, type PageLibrary } from "../library/page-entry.ts";
import { readGivenFiles } from "./given-files.ts";

/** The address of the library's description, and the place of its calls. */
const DESCRIPTION = "/library.json";
const CALLS = "/library/";

/** The largest body of a call. The page sends files in parts that are smaller. */
const BODY_MAX = 80 << 20;

interface Context {
  readonly signal: AbortSignal;
  readonly onProgress: (event: ProgressEvent) => void;
}

/** What the page gave; the library checks what it is. */
type Arguments = readonly [never, never, never];

type Call = (page: PageLibrary, args: Arguments, context: Context) => Promise<unknown>;

/** What a page may do with a library that it only reads. The library checks the arguments, as it does for every caller. */
const READING: Readonly<Record<string, Call>> = {
  search: ({ library }, [query, parameters]) => library.search(query, parameters),
  recall: ({ library }, [request]) => library.recall(request),
  verifyReceipt: ({ library }, [receipt]) => library.verifyReceipt(receipt),
  documents: ({ library }, [page]) => library.documents(page),
  document: ({ library }, [path]) => library.document(path),
  lines: ({ library }, [path, from, to]) => library.lines(path, from, to),
  chunks: ({ library }, [path]) => library.chunks(path),
  chunk: ({ library }, [id]) => library.chunk(id),
  stats: ({ library }) => library.stats(),
};

/** What it may do with `--writable` as well. */
const WRITING: Readonly<Record<string, Call>> = {
  add: ({ library }, [documents], context) => library.add(documents, context),
  addFiles: ({ addGiven }, [files], context) => addGiven(files, context),
  remove: ({ library }, [paths]) => library.remove(paths),
  feedback: ({ library }, [feedback]) => library.feedback(feedback),
  resetFeedback: ({ library }) => library.resetFeedback(),
};

/** Answers the page's requests about one library, which is open. */
export class ServedLibrary {
  readonly #page: PageLibrary;
  readonly #isWritable: boolean;

  constructor(page: PageLibrary, isWritable: boolean) {
    this.#page = page;
    this.#isWritable = isWritable;
  }

  /** Answers a request; false if it is not about the library. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const path = (request.url ?? "").split("?")[0]!;
    if (path === DESCRIPTION && request.method === "GET") {
      answerJson(request, response, 200, this.#description(), { "Cache-Control": "no-store" });
      return true;
    }
    if (!path.startsWith(CALLS)) return false;
    void this.#call(path.slice(CALLS.length), request, response);
    return true;
  }

  close(): Promise<void> {
    return this.#page.library.close();
  }

  #description(): object {
    const { name, canon, build, model, dimension } = this.#page.library;
    return { name: basename(name), file: name, canon, build, model, dimension, isWritable: this.#isWritable };
  }

  /** A call is a POST with its arguments as JSON, or with files. The answer is lines of JSON: progress, then a value or an error. */
  async #call(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = this.#callNamed(name, request, response);
    if (call === null) return;
    let args: readonly unknown[];
    try {
      const body = await bodyBytes(request, { max: BODY_MAX });
      args = name === "addFiles" ? [readGivenFiles(body)] : argumentsOf(body);
    } catch (error) {
      if (!(error instanceof RefusedRequest)) throw error;
      answerJson(request, response, error.refusal.status, refusalBody(error.refusal));
      return;
    }
    const stop = new AbortController();
    response.once("close", () => stop.abort());
    response.writeHead(200, { "Content-Type": "application/x-ndjson", "Cache-Control": "no-store" });
    const send = (line: object) => void response.write(`${JSON.stringify(line)}\n`);
    try {
      const context = { signal: stop.signal, onProgress: (progress: ProgressEvent) => send({ progress }) };
      send({ value: (await call(this.#page, args as unknown as Arguments, context)) ?? null });
    } catch (error) {
      send({ error: errorRecord(error) });
    }
    response.end();
  }

  #callNamed(name: string, request: IncomingMessage, response: ServerResponse): Call | null {
    const refuse = (status: number, code: string, message: string, hint: string) => {
      answerJson(request, response, status, { error: { code, message, hint } });
      return null;
    };
    const has = (calls: object) => Object.hasOwn(calls, name);
    if (!has(READING) && !has(WRITING))
      return refuse(404, "NOT_FOUND", `expected a call of the page, got ${name}`, "");
    if (request.method !== "POST")
      return refuse(405, "BAD_METHOD", `expected POST, got ${request.method}`, "");
    if (has(READING)) return READING[name]!;
    if (this.#isWritable) return WRITING[name]!;
    return refuse(
      403,
      "READ_ONLY",
      "expected a library that may be changed, got one that is only read",
      "Start selfsame web with --writable",
    );
  }
}

function argumentsOf(body: Buffer): readonly unknown[] {
  try {
    const args: unknown = JSON.parse(body.toString());
    if (Array.isArray(args)) return args;
  } catch {
    // Said below.
  }
  throw new RefusedRequest({
    status: 400,
    code: "BAD_BODY",
    reason: "expected a list of arguments as JSON",
    hint: "",
  });
}
