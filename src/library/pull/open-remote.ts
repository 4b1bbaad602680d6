import type { Engine } from "../../engine/engine.ts";
import { fetchStream, tooLong } from "../../engine/fetch.ts";
import { badArgument } from "../../errors/arguments.ts";
import { SelfsameError } from "../../errors/selfsame-error.ts";
import { deviceFiles } from "../../files/device-files.ts";
import { httpRemote } from "./http-remote.ts";
import { packRemote } from "./pack-remote.ts";
import type { Remote } from "./remote.ts";
import { type TreeFiles, treeRemote } from "./tree-remote.ts";

/** No file that is read here is larger. */
const PACK_BYTES_MAX = 2 ** 40;

/**
 * Opens what an address names: a namespace of a server (`https://…/v1/namespaces/NAME`), a pack (`https://….pack`, a file), or
 * a folder with an exported tree (any other address, a folder). Nothing is read yet. SPEC §28.1
 *
 * @throws {SelfsameError} FILE_MISSING, BAD_ARGUMENT
 */
export function openRemote(engine: Engine, address: string | URL, token: string | undefined): Remote {
  const url = urlOf(address);
  if (url === null) return deviceRemote(engine, String(address));
  if (/\/v1\/namespaces\/[^/]+\/?$/.test(url.pathname))
    return httpRemote(url, token === undefined ? {} : { token });
  if (url.pathname.endsWith(".pack")) return packRemote(engine, url.href, () => fetched(url, PACK_BYTES_MAX));
  return treeRemote(engine, webFiles(url));
}

/** Returns an http or https address; null for a path. */
function urlOf(address: string | URL): URL | null {
  if (typeof address === "string" && !/^[a-z][a-z0-9+.-]+:\/\//i.test(address)) return null;
  const url = URL.canParse(String(address)) ? new URL(address) : null;
  if (url?.protocol === "http:" || url?.protocol === "https:") {
    if (url.username === "" && url.password === "") return url;
    throw badArgument("the address", "one without a name and a password", `${url.origin}/…`);
  }
  throw badArgument("the address", "an http or https address, a folder or a file", String(address));
}

function webFiles(url: URL): TreeFiles {
  const base = new URL(url);
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  return {
    name: base.href,
    read: (name, bytesMax, signal) => fetched(new URL(name, base), bytesMax, signal),
  };
}

async function* fetched(url: URL, bytesMax: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const isWhole = yield* fetchStream(url, bytesMax, { signal });
  if (!isWhole) throw tooLong(url, bytesMax, "more");
}

function deviceRemote(engine: Engine, path: string): Remote {
  const files = deviceFiles;
  if (files === null)
    throw badArgument("the address", "an http or https address, since a browser has no folders", path);
  const name = files.absolute(path);
  switch (files.kindOf(path)) {
    case "folder":
      return treeRemote(engine, {
        name,
        read: (file, bytesMax) => files.stream(`${name}/${file}`, bytesMax),
      });
    case "file":
      return packRemote(engine, name, () => files.stream(path, PACK_BYTES_MAX));
    default:
      throw new SelfsameError(
        "FILE_MISSING",
        `expected a folder or a pack at ${path}, got nothing`,
        "Check the path. An address begins with https:// or http://",
      );
  }
}
