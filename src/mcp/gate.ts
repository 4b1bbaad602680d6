import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { describeJson } from "./describe-json.ts";

export interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The names of this device. A page whose host name was pointed here (DNS rebinding) sends another one. */
const LOCAL = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Decides who may send requests. It reads headers only, before any of the body. */
export class Gate {
  readonly #tokenDigest: Buffer | null;

  constructor(token: string | undefined) {
    this.#tokenDigest = token === undefined ? null : digest(token);
  }

  refusal({ headers }: IncomingMessage): Refusal | null {
    if (!isLocal(`http://${headers.host ?? ""}`)) {
      return {
        status: 403,
        reason: `Forbidden: expected the host 127.0.0.1 or localhost, got ${describeJson(headers.host)}`,
      };
    }
    if (headers.origin !== undefined && !isLocal(headers.origin)) {
      return {
        status: 403,
        reason: `Forbidden: expected an origin on this device, got ${describeJson(headers.origin)}`,
      };
    }
    if (this.#tokenDigest !== null && !this.#isToken(headers.authorization)) {
      return {
        status: 401,
        reason: "Unauthorized: expected the server's token as Authorization: Bearer <token>",
        headers: { "WWW-Authenticate": 'Bearer realm="selfsame"' },
      };
    }
    return null;
  }

  /** Takes the same time for every token: it compares whole digests, which have one length. */
  #isToken(authorization: string | undefined): boolean {
    const given = /^Bearer +(.+)$/i.exec(authorization ?? "")?.[1] ?? "";
    return timingSafeEqual(digest(given), this.#tokenDigest!);
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function isLocal(url: string): boolean {
  try {
    const { protocol, hostname } = new URL(url);
    return (protocol === "http:" || protocol === "https:") && LOCAL.has(hostname);
  } catch {
    return false;
  }
}
