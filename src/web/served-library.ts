import {
  type AddGivenFilesReport,
  type AddOptions,
  type AddReport,
  type BrowserLibrary,
  type ErrorCode,
  type ErrorDetails,
  type GivenFile,
  type ProgressEvent,
  SelfsameError,
} from "selfsame/browser";
import type { PageLibrary } from "./page-library.ts";

/** What the server says about its library. */
export interface Served {
  /** The name of its file. */
  readonly name: string;
  /** The whole path. */
  readonly file: string;
  readonly build: BrowserLibrary["build"];
  readonly isWritable: boolean;
}

/** Files are sent in parts of about this many bytes. A larger file is a part by itself. */
const PART_BYTES = 16 << 20;

/** Returns what the server says about its library; null if it has none, or there is no server: a web host, or offline. */
export async function servedLibrary(): Promise<Served | null> {
  try {
    const response = await fetch(new URL("library.json", document.baseURI), { cache: "no-store" });
    return response.ok ? ((await response.json()) as Served | null) : null;
  } catch {
    return null;
  }
}

/** The library that `selfsame web --db` serves. Each call is a request; its answer is lines of JSON. */
export class ServedLibrary implements PageLibrary {
  readonly name: string;
  readonly build: BrowserLibrary["build"];

  constructor({ name, build }: Served) {
    this.name = name;
    this.build = build;
  }

  readonly add: PageLibrary["add"] = (documents, options = {}) => call("add", [documents], options);
  readonly remove: PageLibrary["remove"] = (paths) => call("remove", [paths]);
  readonly search: PageLibrary["search"] = (query, parameters) => call("search", [query, parameters]);
  readonly recall: PageLibrary["recall"] = (request) => call("recall", [request]);
  readonly feedback: PageLibrary["feedback"] = (feedback) => call("feedback", [feedback]);
  readonly resetFeedback: PageLibrary["resetFeedback"] = () => call("resetFeedback", []);
  readonly verifyReceipt: PageLibrary["verifyReceipt"] = (receipt) => call("verifyReceipt", [receipt]);
  readonly documents: PageLibrary["documents"] = (page) => call("documents", [page ?? {}]);
  readonly document: PageLibrary["document"] = (path) => call("document", [path]);
  readonly lines: PageLibrary["lines"] = (path, from, to) => call("lines", [path, from, to]);
  readonly chunks: PageLibrary["chunks"] = (path) => call("chunks", [path]);
  readonly chunk: PageLibrary["chunk"] = (id) => call("chunk", [id]);
  readonly stats: PageLibrary["stats"] = () => call("stats", []);

  readonly addFiles: PageLibrary["addFiles"] = async (files, options = {}) => {
    const given = Array.from(files, (each) =>
      each instanceof File ? { path: each.webkitRelativePath || each.name, file: each } : each,
    );
    let sum: AddGivenFilesReport | null = null;
    for (const part of partsOf(given)) {
      const report: AddGivenFilesReport = await call("addFiles", bodyOf(part), options);
      sum = sum === null ? report : sumOf(sum, report);
    }
    return sum ?? call("addFiles", bodyOf([]), options);
  };

  async close(): Promise<void> {
    // The server keeps it open.
  }
}

type Options = Pick<AddOptions, "signal" | "onProgress">;

async function call<T>(name: string, body: readonly unknown[] | Blob, options: Options = {}): Promise<T> {
  const { signal, onProgress } = options;
  const response = await fetch(new URL(`library/${name}`, document.baseURI), {
    method: "POST",
    body: body instanceof Blob ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause) => {
    if (signal?.aborted) throw cause;
    throw lost(cause);
  });
  if (!response.ok) throw await refusalOf(response);
  for await (const line of linesOf(response.body!)) {
    const { progress, error, value } = JSON.parse(line) as Line<T>;
    if (progress !== undefined) onProgress?.(progress);
    else if (error !== undefined) throw errorOf(error);
    else return value as T;
  }
  throw lost(null);
}

interface Line<T> {
  readonly progress?: ProgressEvent;
  readonly value?: T;
  readonly error?: {
    readonly code: ErrorCode | null;
    readonly reason: string;
    readonly hint: string;
    readonly details: ErrorDetails;
  };
}

function errorOf({ code, reason, hint, details }: NonNullable<Line<unknown>["error"]>): Error {
  return code === null ? new Error(reason) : new SelfsameError(code, reason, hint, { details });
}

async function refusalOf(response: Response): Promise<Error> {
  const { error } = (await response.json().catch(() => ({}))) as {
    error?: { message: string; hint: string };
  };
  return new SelfsameError(
    "BAD_ARGUMENT",
    error?.message ?? `expected an answer of the server, got ${response.status}`,
    error?.hint ?? "",
  );
}

function lost(cause: unknown): SelfsameError {
  return new SelfsameError(
    "DATABASE_IO",
    "expected an answer of the server that has this library, got none",
    "Start selfsame web --db again, then press “Try again”",
    { cause },
  );
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.pipeThrough(new TextDecoderStream() as never).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = (await reader.read()) as { done: boolean; value?: string };
    const lines = (rest + (value ?? "")).split("\n");
    rest = lines.pop()!;
    yield* lines;
    if (done) return;
  }
}

function* partsOf(files: readonly GivenFile[]): Generator<readonly GivenFile[]> {
  let part: GivenFile[] = [];
  let bytes = 0;
  for (const each of files) {
    if (part.length > 0 && bytes + each.file.size > PART_BYTES) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(each);
    bytes += each.file.size;
  }
  if (part.length > 0) yield part;
}

/** The length of a list, the list (path, size and time of each file), and the files. */
function bodyOf(files: readonly GivenFile[]): Blob {
  const heads = files.map(({ path, file }) => ({ path, size: file.size, modified: file.lastModified }));
  const list = new TextEncoder().encode(JSON.stringify(heads));
  const length = new DataView(new ArrayBuffer(4));
  length.setUint32(0, list.length, true);
  return new Blob([length, list, ...files.map(({ file }) => file)]);
}

function sumOf(a: AddGivenFilesReport, b: AddGivenFilesReport): AddGivenFilesReport {
  const counts: AddReport = {
    added: a.added + b.added,
    updated: a.updated + b.updated,
    unchanged: a.unchanged + b.unchanged,
    chunks: a.chunks + b.chunks,
    embedded: a.embedded + b.embedded,
  };
  return {
    ...counts,
    skipped: [...a.skipped, ...b.skipped],
    metadataFaults: [...a.metadataFaults, ...b.metadataFaults],
    root: b.root,
  };
}
