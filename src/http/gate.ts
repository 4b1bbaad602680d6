import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { describeJson } from "./describe-json.ts";
import type { Refusal } from "./refusal.ts";

export interface GateOptions {
  /** What clients must send as `Authorization: Bearer …`; without it, everybody who reaches the server is a client. */
  readonly token?: string | undefined;
  /** Paths that are answered without the token, for health checks. */
  readonly openPaths?: readonly string[];
  /** Accepts the token as the password of HTTP Basic, too: the only way in which a browser can send it with a page's address. */
  readonly basic?: boolean;
  /**
   * Which web pages may send requests. `local`: every page of this device. `same`: the server's own pages. Origins of `cors` are
   * accepted in both cases.
   */
  readonly origins?: "local" | "same";
  /** Origins of other pages that may send requests and read answers, such as `https://app.example`. */
  readonly cors?: readonly string[];
  /** Whether the server listens beyond this device. Then addresses are accepted as hosts. */
  readonly isPublic?: boolean;
  /** Further host names by which clients reach the server. */
  readonly hosts?: readonly string[];
}

/** The names of this device. A page whose host name was pointed here (DNS rebinding) sends another one. */
const LOCAL = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Decides who may send requests. It reads headers only, before any of the body. */
export class Gate {
  readonly #tokenDigest: Buffer | null;
  readonly #options: GateOptions;
  readonly #hosts: ReadonlySet<string>;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#tokenDigest = options.token === undefined ? null : digest(options.token);
    this.#hosts = new Set([...LOCAL, ...(options.hosts ?? []).map((host) => host.toLowerCase())]);
  }

  refusal({ headers, url }: IncomingMessage): Refusal | null {
    const { host, origin, authorization } = headers;
    if (!this.#isOwnHost(host)) {
      return {
        status: 403,
        code: "FORBIDDEN_HOST",
        reason: `Forbidden: expected the host 127.0.0.1 or localhost, got ${describeJson(host)}`,
        hint: "If clients reach the server by another name, start it with --allow-host <name>",
      };
    }
    if (origin !== undefined && !this.#isOwnOrigin(origin, host!) && !this.isCrossOrigin(origin)) {
      return {
        status: 403,
        code: "FORBIDDEN_ORIGIN",
        reason: `Forbidden: expected an origin on this device, got ${describeJson(origin)}`,
        hint: "To let a web page in, start the server with --cors <origin>",
      };
    }
    const isOpen = this.#options.openPaths?.includes(url?.split("?")[0] ?? "") === true;
    if (this.#tokenDigest === null || isOpen || this.#isToken(authorization)) return null;
    return {
      status: 401,
      code: "UNAUTHORIZED",
      reason: "Unauthorized: expected the server's token as Authorization: Bearer <token>",
      hint: "Ask the operator for the token",
      headers: {
        "WWW-Authenticate":
          this.#options.basic === true && headers.accept?.includes("text/html") === true
            ? 'Basic realm="selfsame: any name, the token as password", charset="UTF-8"'
            : 'Bearer realm="selfsame"',
      },
    };
  }

  /** Whether pages of this other origin may read answers. */
  isCrossOrigin(origin: string | undefined): boolean {
    return origin !== undefined && this.#options.cors?.includes(origin) === true;
  }

  #isOwnHost(host: string | undefined): boolean {
    const name = hostname(`http://${host ?? ""}`);
    if (name === null) return false;
    // A rebound name is a name; an address cannot be rebound.
    return this.#hosts.has(name) || (this.#options.isPublic === true && isAddress(name));
  }

  #isOwnOrigin(origin: string, host: string): boolean {
    if (this.#options.origins === "same") return /^https?:\/\//.test(origin) && isSame(origin, host);
    const name = hostname(origin);
    return name !== null && LOCAL.has(name);
  }

  /** Takes the same time for every token: it compares whole digests, which have one length. */
  #isToken(authorization = ""): boolean {
    const bearer = /^Bearer +(.+)$/i.exec(authorization)?.[1];
    const basic = this.#options.basic === true ? /^Basic +(.+)$/i.exec(authorization)?.[1] : undefined;
    const password = basic === undefined ? undefined : Buffer.from(basic, "base64").toString();
    const given = bearer ?? /^[^:]*:(.*)$/s.exec(password ?? "")?.[1] ?? "";
    return timingSafeEqual(digest(given), this.#tokenDigest!);
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function hostname(url: string): string | null {
  try {
    const { protocol, hostname: name } = new URL(url);
    return protocol === "http:" || protocol === "https:" ? name : null;
  } catch {
    return null;
  }
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

/** Whether an origin is that of the server, whatever the scheme: a proxy may add TLS. */
function isSame(origin: string, host: string): boolean {
  try {
    const { protocol, host: from } = new URL(origin);
    return from === new URL(`${protocol}//${host}`).host;
  } catch {
    return false;
  }
}
