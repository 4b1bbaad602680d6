/** `selfsame serve --cluster`: the HTTP API on a cluster, with the receipts of the cluster. */
import assert from "node:assert/strict";
import { connectCluster } from "#dist/cluster/index.js";
import { QUERIES } from "./documents.ts";
import { Process } from "./processes.ts";

export async function checkHttp(nats: string, data: string, log: (text: string) => void): Promise<void> {
  const server = new Process("http", [
    ...["serve", "--cluster", "default", "--nats", nats, "--port", "0", "--data", data],
  ]).start();
  const cluster = await connectCluster({ nats });
  const library = await cluster.open();
  try {
    let url: string | undefined;
    for (let i = 0; url === undefined; i++) {
      if (i > 300 || !server.isRunning)
        throw new Error(`expected serve --cluster to start, got:\n${server.said}`);
      await new Promise((done) => setTimeout(done, 200));
      url = /listening on (http:\S+)/.exec(server.said)?.[1];
    }
    for (const query of QUERIES) {
      const response: Response = await fetch(`${url}/v1/hybrid/query`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ query, mode: "hybrid" }),
      });
      const answer = (await response.json()) as { receipt: { digest: string; parameters: object } };
      assert.equal(response.status, 200, JSON.stringify(answer));
      const verdict = await library.on((each) => each.verifyReceipt(JSON.stringify(answer.receipt)));
      assert.ok(verdict.isSame, JSON.stringify(verdict.differences));
    }
    const stats = await fetch(`${url}/v1/hybrid/stats`);
    assert.equal(stats.status, 200, await stats.text());
    const unknown = await fetch(`${url}/v1/hybrid/query`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ query: "x", namespace: "other" }),
    });
    assert.equal(unknown.status, 404);
    log("serve --cluster answers over HTTP, with the same receipts");
  } finally {
    await server.end("SIGTERM");
    await library.close();
    await cluster.close();
  }
}
