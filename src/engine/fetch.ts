import { SelfsameError } from "../errors/selfsame-error.ts";
import { pageAddress } from "./page-address.ts";

/** All bytes behind a URL, by the host's fetch. */
export async function fetchBytes(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetchResponse(url);
  return new Uint8Array(await response.arrayBuffer());
}

/** An answer with bytes, by the host's fetch. */
export async function fetchResponse(url: URL): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch (cause) {
    throw new SelfsameError(
      "FILE_MISSING",
      `expected bytes at ${url.href}, got no answer`,
      pageAddress() === undefined
        ? "Check the address and the network"
        : "Check the address, the network, and the page's connect-src policy",
      { cause },
    );
  }
  if (!response.ok) {
    throw new SelfsameError(
      "FILE_MISSING",
      `expected bytes at ${url.href}, got HTTP status ${response.status}`,
      "Serve the file there, or give another address",
    );
  }
  return response;
}
