import { fetchStream, tooLong } from "../../engine/fetch.ts";
import { isPlainObject } from "../../errors/plain-object.ts";
import { SelfsameError } from "../../errors/selfsame-error.ts";
import { shortened } from "../../errors/shortened.ts";
import { bytesOfBase64 } from "./base64.ts";
import { badRemote } from "./differences.ts";
import type { Remote, RemoteHead } from "./remote.ts";

/** Where `openRemote` sends requests, and with what. */
export interface HttpRemoteOptions {
  /** What the server wants as `Authorization: Bearer …`. */
  readonly token?: string;
}

/** The most bytes of an answer: of small ones, for each node and path, and of a pack. */
const ANSWER_BYTES = 1 << 16;
const NODE_BYTES = 2048;
const PATH_BYTES = 1 << 14;
const PACK_BYTES = 2 ** 40;
const REASON_MAX = 300;
/** A pack may take as long as it is; what must not happen is silence. */
const PACK_TIMES = { idleMs: 60_000, totalMs: 2 ** 31 - 1 };

/**
 * Returns a namespace of a server that `selfsame serve --allow-pull` runs, as `pull` sees it. SPEC §28.7
 *
 * @param address that of the namespace: `https://example.org/v1/namespaces/notes`
 */
export function httpRemote(address: URL, { token }: HttpRemoteOptions = {}): Remote {
  const base = address.href.replace(/\/$/, "");
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const stream = (place: string, body: unknown, bytesMax: number, signal?: AbortSignal) =>
    fetchStream(new URL(`${base}/${place}`), bytesMax, {
      ...(place === "pack" ? { times: PACK_TIMES } : {}),
      init: {
        // A token is for this server and no other.
        redirect: "error",
        ...(body === undefined
          ? { headers }
          : {
              method: "POST",
              headers: { ...headers, "content-type": "application/json" },
              body: JSON.stringify(body),
            }),
      },
      signal,
      refused,
    });
  const ask = async (place: string, body: unknown, bytesMax: number): Promise<Record<string, unknown>> => {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const part of whole(base, stream(place, body, bytesMax), bytesMax)) parts.push(part);
    try {
      const json: unknown = JSON.parse(await new Blob(parts).text());
      if (isPlainObject(json)) return json;
    } catch {
      // told below
    }
    throw badRemote(`a JSON object from ${base}/${place}`, "something else");
  };
  return {
    name: base,
    async head() {
      const { namespace, canon, root, metadata_root } = await ask("root", undefined, ANSWER_BYTES);
      return { namespace, canon, root, metadataRoot: metadata_root } as unknown as RemoteHead;
    },
    async nodes(prefixes, tree) {
      const { nodes } = await ask("nodes", { tree, prefixes }, ANSWER_BYTES + prefixes.length * NODE_BYTES);
      return listOf(nodes, prefixes.length, "string").map((node) => bytesOfBase64(node as string));
    },
    async paths(ids) {
      const { paths } = await ask("paths", { ids }, ANSWER_BYTES + ids.length * PATH_BYTES);
      return listOf(paths, ids.length, "string", null) as (string | null)[];
    },
    async *packs(prefixes, { vectors, signal }) {
      yield whole(base, stream("pack", { prefixes, vectors }, PACK_BYTES, signal), PACK_BYTES);
    },
  };
}

async function* whole(
  base: string,
  stream: AsyncGenerator<Uint8Array<ArrayBuffer>, boolean>,
  bytesMax: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const isWhole = yield* stream;
  if (!isWhole) throw tooLong(new URL(base), bytesMax, "more");
}

function listOf(value: unknown, length: number, ...kinds: (string | null)[]): unknown[] {
  const fits = (each: unknown) => kinds.includes(each === null ? null : typeof each);
  if (Array.isArray(value) && value.length === length && value.every(fits)) return value;
  throw badRemote(`a list of ${length}`, "another answer");
}

/** What the server says about a refusal is shown, and not trusted: it is a text of limited length. */
async function refused(response: Response): Promise<SelfsameError> {
  const { status, url } = response;
  const said = status === 404 ? "" : await saidBy(response);
  return new SelfsameError(
    status === 404 ? "FILE_MISSING" : "BAD_REMOTE",
    `expected an answer from ${url}, got HTTP status ${status}${said === "" ? "" : `: ${said}`}`,
    status === 401
      ? "Give the server's token: --token-file, or SELFSAME_TOKEN"
      : status === 403 || status === 404
        ? "Check the address, and that the server allows it: selfsame serve --allow-pull"
        : "Try again later",
    { details: { status } },
  );
}

async function saidBy(response: Response): Promise<string> {
  if (Number(response.headers.get("content-length") ?? Number.POSITIVE_INFINITY) > ANSWER_BYTES) return "";
  try {
    const { error } = (await response.json()) as { error?: { message?: unknown } };
    return typeof error?.message === "string" ? shortened(error.message, REASON_MAX) : "";
  } catch {
    return "";
  }
}
