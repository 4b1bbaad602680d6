import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { portRemote, serveRemote } from "selfsame";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Opened, openTiny } from "../library/opened.ts";
import { running } from "../serve/running.ts";
import { scratchFolder } from "../store/scratch.ts";
import { note, notes, roots } from "./libraries.ts";

const TOKEN = "0123456789abcdef";

async function opened(namespace = "default"): Promise<Opened> {
  const library = await openTiny(":memory:", { namespace });
  onTestFinished(() => library.library.close());
  return library;
}

/** Changes a library: 2 documents added, 1 changed, 1 removed, and times of 1. */
async function change({ library }: Opened): Promise<void> {
  await library.add([note(900), note(901), note(3, 1), { ...note(4), modifiedAt: 7 }]);
  await library.remove([note(5).path]);
}

describe("through a MessagePort", () => {
  test("a whole library, and then what changed", async () => {
    const [ours, theirs] = [await opened(), await opened()];
    await theirs.library.add(notes(40));
    const { port1, port2 } = new MessageChannel();
    serveRemote(theirs.library, port1 as never);
    const remote = portRemote(port2 as never, "there");
    onTestFinished(() => remote.close!());
    expect(await ours.library.pull(remote)).toMatchObject({ added: 40, isSame: true });
    await change(theirs);
    expect(await ours.library.pull(remote)).toMatchObject({ added: 2, updated: 2, removed: 1, isSame: true });
    expect(await roots(ours)).toStrictEqual(await roots(theirs));
  });

  test("an error of the other side keeps its code", async () => {
    const ours = await opened();
    const theirs = await openTiny(":memory:");
    const { port1, port2 } = new MessageChannel();
    serveRemote(theirs.library, port1 as never);
    await theirs.library.close();
    const remote = portRemote(port2 as never);
    onTestFinished(() => remote.close!());
    await expect(ours.library.pull(remote)).rejects.toMatchObject({ name: "SelfsameError" });
  });
});

describe("an exported tree", () => {
  test("in a folder: packs of parts, and only what changed is written and read again", async () => {
    const [ours, theirs] = [await opened(), await opened()];
    const folder = join(scratchFolder(), "tree");
    await theirs.library.add(notes(600));
    const first = await theirs.library.exportTree(folder);
    expect(first).toMatchObject({ documents: 600, removed: 0 });
    expect(first.packs).toBe(16);
    expect(first.written).toBe(16);
    expect(await ours.library.pull(folder)).toMatchObject({ added: 600, embedded: 0, isSame: true });
    await change(theirs);
    const second = await theirs.library.exportTree(folder);
    expect(second.written).toBeLessThanOrEqual(5);
    expect(second.removed).toBe(2 * second.written + (first.packs === second.packs ? 1 : 0));
    const names = readdirSync(folder);
    expect(names).toHaveLength(2 * second.packs + 2);
    const preview = await ours.library.pull(folder, { dryRun: true });
    expect(preview.changes.map(({ change, path }) => `${change} ${path}`).sort()).toStrictEqual([
      "added notes/00900.md",
      "added notes/00901.md",
      "metadata notes/00004.md",
      "removed notes/00005.md",
      "updated notes/00003.md",
    ]);
    const report = await ours.library.pull(folder);
    expect(report).toMatchObject({ added: 2, updated: 2, removed: 1, isSame: true });
    const whole = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    expect(report.bytes).toBeLessThan(whole / 2);
    expect(await theirs.library.exportTree(folder)).toMatchObject({ written: 0, removed: 0 });
  });

  test("on a web server: files that are missing, longer or others are refused, and nothing is changed", async () => {
    const [ours, theirs] = [await opened(), await opened()];
    const folder = join(scratchFolder(), "served");
    await theirs.library.add(notes(30));
    await theirs.library.exportTree(folder);
    const server = createServer((request, response) => {
      try {
        response.end(readFileSync(join(folder, decodeURIComponent(request.url!).replace("/notes/", ""))));
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", () => listening()));
    onTestFinished(() => new Promise<void>((closed) => server.close(() => closed())));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/notes`;
    const pack = readdirSync(folder).find((name) => name.endsWith(".pack"))!;
    const nodes = pack.replace(".pack", ".nodes");
    const empty = await roots(ours);
    const refused = async (name: string, bytes: Uint8Array | null, code: string) => {
      const intact = readFileSync(join(folder, name));
      if (bytes === null) rmSync(join(folder, name));
      else writeFileSync(join(folder, name), bytes);
      await expect(ours.library.pull(url)).rejects.toMatchObject({ code });
      expect(await roots(ours)).toStrictEqual(empty);
      writeFileSync(join(folder, name), intact);
    };
    const bytes = readFileSync(join(folder, pack));
    await refused(pack, null, "FILE_MISSING");
    await refused(pack, Buffer.concat([bytes, Buffer.from([0])]), "FILE_TOO_LARGE");
    await refused(pack, bytes.subarray(0, bytes.length - 1), "PACK_DAMAGED");
    await refused("selfsame-tree.json", Buffer.from("{}"), "BAD_REMOTE");
    await refused("selfsame-tree.json", Buffer.from("[".repeat(100_000)), "BAD_REMOTE");
    await refused(nodes, Buffer.from('{"text":{},"metadata":{},"paths":{}}'), "BAD_REMOTE");
    expect(await ours.library.pull(url)).toMatchObject({ added: 30, isSame: true });
  });
});

describe("a pack of a whole library", () => {
  test("is pulled from as any other remote", async () => {
    const [ours, theirs] = [await opened(), await opened()];
    await theirs.library.add(notes(30));
    const file = join(scratchFolder(), "notes.pack");
    const write = async (options = {}) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of theirs.library.exportPack(options)) pieces.push(piece);
      writeFileSync(file, Buffer.concat(pieces));
    };
    await write();
    expect(await ours.library.pull(file)).toMatchObject({ added: 30, isSame: true });
    await change(theirs);
    await write();
    expect(await ours.library.pull(file)).toMatchObject({ added: 2, updated: 2, removed: 1, isSame: true });
    await write({ prefixes: ["0", "10"] });
    await expect(ours.library.pull(file)).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  });
});

describe("the HTTP server", () => {
  test("a namespace: little is transferred, and only with the token", async () => {
    const server = await running({ token: TOKEN, allowPull: true });
    const headers = { authorization: `Bearer ${TOKEN}` };
    const count = 300;
    await server.send("POST", "/v1/hybrid/ingest?namespace=notes", notes(count).map(sent), headers);
    const ours = await opened("notes");
    const url = `${server.url}/v1/namespaces/notes`;
    await expect(ours.library.pull(url)).rejects.toMatchObject({
      code: "BAD_REMOTE",
      details: { status: 401 },
    });
    const first = await ours.library.pull(url, { token: TOKEN });
    expect(first).toMatchObject({ added: count, embedded: 0, isSame: true });
    await server.send(
      "POST",
      "/v1/hybrid/ingest?namespace=notes",
      [sent(note(1, 1)), sent(note(999))],
      headers,
    );
    const preview = await ours.library.pull(url, { token: TOKEN, dryRun: true });
    expect(preview.changes.map(({ change, path }) => `${change} ${path}`).sort()).toStrictEqual([
      "added notes/00999.md",
      "updated notes/00001.md",
    ]);
    const second = await ours.library.pull(url, { token: TOKEN });
    expect(second).toMatchObject({ added: 1, updated: 1, removed: 0, isSame: true });
    expect(second.bytes).toBeLessThan(8000);
    const elsewhere = await opened();
    await expect(elsewhere.library.pull(url, { token: TOKEN })).rejects.toMatchObject({
      code: "NAMESPACE_MISMATCH",
    });
    const missing = `${server.url}/v1/namespaces/nowhere`;
    await expect(ours.library.pull(missing, { token: TOKEN })).rejects.toMatchObject({
      code: "FILE_MISSING",
    });
  });

  test("is off unless it is allowed, and then needs a token on any address", async () => {
    const server = await running({ token: TOKEN });
    const headers = { authorization: `Bearer ${TOKEN}` };
    await server.send("POST", "/v1/hybrid/ingest?namespace=notes", notes(3).map(sent), headers);
    const place = "/v1/namespaces/notes";
    for (const [name, body] of [
      ["nodes", { tree: "text", prefixes: [""] }],
      ["paths", { ids: ["0".repeat(32)] }],
      ["pack", { prefixes: [""] }],
    ] as const) {
      const { status, json } = await server.send("POST", `${place}/${name}`, body, headers);
      expect([status, json.error.code]).toStrictEqual([403, "PULL_NOT_ALLOWED"]);
    }
    const ours = await opened("notes");
    await expect(ours.library.pull(server.url + place, { token: TOKEN })).rejects.toMatchObject({
      code: "BAD_REMOTE",
      message: expect.stringMatching(/--allow-pull/),
    });
    await expect(running({ allowPull: true })).rejects.toMatchObject({ code: "BAD_ARGUMENT" });
  });

  test("refuses requests that no pull makes", async () => {
    const server = await running({ token: TOKEN, allowPull: true });
    const headers = { authorization: `Bearer ${TOKEN}` };
    await server.send("POST", "/v1/hybrid/ingest?namespace=notes", notes(3).map(sent), headers);
    const ask = async (name: string, body: unknown) =>
      (await server.send("POST", `/v1/namespaces/notes/${name}`, body, headers)).status;
    expect(await ask("nodes", { tree: "text", prefixes: ["xyz"] })).toBe(400);
    expect(await ask("nodes", { tree: "words", prefixes: [""] })).toBe(400);
    expect(await ask("nodes", { tree: "text", prefixes: Array.from({ length: 2000 }, () => "") })).toBe(400);
    expect(await ask("pack", { prefixes: ["2"] })).toBe(400);
    expect(await ask("pack", { prefixes: ["0", "01"] })).toBe(400);
    expect(await ask("pack", { prefixes: [] })).toBe(400);
  });
});

function sent({ path, text, modifiedAt }: { path: string; text: string; modifiedAt?: number }) {
  return { path, text, modified_at: modifiedAt };
}
