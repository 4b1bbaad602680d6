/** Servers die: a shard without a server is named, part of an answer comes only if that was asked for, and others take over. */
import assert from "node:assert/strict";
import type { Cluster } from "#dist/cluster/index.js";
import { SelfsameError } from "#dist/index.js";
import { QUERIES } from "./documents.ts";
import type { Process } from "./processes.ts";

const TAKEN_OVER_MS = 90_000;

export async function checkUnavailable(
  cluster: Cluster,
  servers: readonly Process[],
  log: (text: string) => void,
): Promise<void> {
  const library = await cluster.open();
  const whole = await library.search(QUERIES[0]!);
  for (const server of servers) await server.end();
  const refused = await library.search(QUERIES[0]!).catch((error: unknown) => error);
  assert.ok(refused instanceof SelfsameError && refused.code === "SHARD_UNAVAILABLE", String(refused));
  assert.match(String(refused.details["prefix"]), /^[01]*$/);
  const partial = await library.search(QUERIES[0]!, {}, { allowPartial: true });
  assert.equal(partial.receipt, null);
  assert.deepEqual(partial.results, []);
  assert.ok(partial.missing.includes(String(refused.details["prefix"])));
  servers[0]!.start();
  const end = performance.now() + TAKEN_OVER_MS;
  for (;;) {
    const again = await library.search(QUERIES[0]!).catch(() => null);
    if (again !== null) {
      assert.equal(again.receipt!.digest, whole.receipt!.digest);
      break;
    }
    assert.ok(performance.now() < end, `expected one server to take over all shards\n${servers[0]!.said}`);
  }
  await library.close();
  log("without servers SHARD_UNAVAILABLE; one server takes over all shards, with the same receipt");
}
