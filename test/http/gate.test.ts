/** Who may send requests, by headers alone: host, origin, token. */
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { Gate, type GateOptions } from "../../src/http/gate.ts";

const refused = (options: GateOptions, headers: Record<string, string>, url = "/v1/x") =>
  new Gate(options).refusal({ headers, url } as unknown as IncomingMessage)?.code ?? null;
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

describe("hosts", () => {
  it.each(["127.0.0.1", "127.0.0.1:80", "localhost:4000", "LOCALHOST", "[::1]:9"])(
    "%s is this device",
    (host) => {
      expect(refused({}, { host })).toBe(null);
    },
  );

  it.each(["evil.example", "127.0.0.1.evil.example", "10.0.0.1", "localhost@evil.example", "a b", ""])(
    "%j is another",
    (host) => {
      expect(refused({}, { host })).toBe("FORBIDDEN_HOST");
    },
  );

  it("a public server is reached by any address and by the names it was given, not by another name", () => {
    const open: GateOptions = { isPublic: true, hosts: ["Search.Example"] };
    for (const host of ["10.0.0.1:80", "[fe80::1]", "search.example"])
      expect(refused(open, { host })).toBe(null);
    expect(refused(open, { host: "rebound.example" })).toBe("FORBIDDEN_HOST");
    expect(refused(open, {})).toBe("FORBIDDEN_HOST");
  });
});

describe("origins", () => {
  const host = "localhost:4000";

  it("local: pages of this device; none is a program", () => {
    expect(refused({}, { host })).toBe(null);
    for (const origin of ["http://localhost:1", "https://127.0.0.1"])
      expect(refused({}, { host, origin })).toBe(null);
    for (const origin of [
      "https://evil.example",
      "null",
      "file://localhost",
      "http://localhost.evil.example",
    ])
      expect(refused({}, { host, origin })).toBe("FORBIDDEN_ORIGIN");
  });

  it("same: the server's own pages, whatever the scheme", () => {
    const options: GateOptions = { origins: "same" };
    expect(refused(options, { host, origin: "https://localhost:4000" })).toBe(null);
    for (const origin of ["http://localhost:1", "ftp://localhost:4000", "null"])
      expect(refused(options, { host, origin })).toBe("FORBIDDEN_ORIGIN");
  });

  it("cors: the named ones, to the letter", () => {
    const options: GateOptions = { cors: ["https://app.example"] };
    expect(refused(options, { host, origin: "https://app.example" })).toBe(null);
    for (const origin of ["http://app.example", "https://app.example:1", "https://app.example.evil.example"])
      expect(refused(options, { host, origin })).toBe("FORBIDDEN_ORIGIN");
    expect(new Gate(options).isCrossOrigin(undefined)).toBe(false);
  });
});

describe("a token", () => {
  const host = "localhost";
  const options: GateOptions = { token: "t0ken", openPaths: ["/health"] };

  it("is needed everywhere but at the open paths", () => {
    expect(refused(options, { host, authorization: "Bearer t0ken" })).toBe(null);
    expect(refused(options, { host }, "/health?x=1")).toBe(null);
    for (const url of ["/healthy", "/health/x", "/x?/health"])
      expect(refused(options, { host }, url)).toBe("UNAUTHORIZED");
    for (const authorization of ["", "Bearer", "Bearer t0ke", "Bearer t0ken2", "t0ken", basic("x:t0ken")])
      expect(refused(options, { host, authorization })).toBe("UNAUTHORIZED");
  });

  it("is a password only where the server says so", () => {
    const page: GateOptions = { ...options, basic: true };
    expect(refused(page, { host, authorization: basic("anybody:t0ken") })).toBe(null);
    for (const given of ["t0ken", "t0ken:", ":t0ke", "a:b:t0ken"])
      expect(refused(page, { host, authorization: basic(given) })).toBe("UNAUTHORIZED");
    const { headers } = new Gate(page).refusal({
      headers: { host, accept: "text/html" },
      url: "/",
    } as unknown as IncomingMessage)!;
    expect(headers!["WWW-Authenticate"]).toMatch(/^Basic /);
  });
});
