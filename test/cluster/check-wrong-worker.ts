/** A worker with wrong arithmetic is caught and named; a job that fails five times is put aside and shown. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { connect } from "#dist/cluster/connection.js";
import { connectCluster } from "#dist/cluster/index.js";
import { cutJobs, decodeJob, encodeJob } from "#dist/cluster/job.js";
import { encodeResult } from "#dist/cluster/job-result.js";
import { loadModel } from "#dist/library/engine-entry.js";
import { run } from "./processes.ts";

const CLUSTER = "wrong";

export async function checkWrongWorker(
  nats: string,
  folder: string,
  log: (text: string) => void,
): Promise<void> {
  const cluster = await connectCluster({ nats, cluster: CLUSTER });
  const connection = await connect({ nats, cluster: CLUSTER });
  const reach = ["--nats", nats, "--cluster", CLUSTER];
  try {
    await cluster.ingest(
      Array.from({ length: 20 }, (_, i) => ({ path: `${i}.md`, text: `text ${i} of twenty` })),
    );
    const building = cluster.build({ folder: join(folder, "build"), definition: { model: "tiny" } });
    await lie(connection);
    await building;
    const verified = await run([
      "cluster",
      "verify",
      ...reach,
      "--share",
      "1",
      "--json",
      "--folder",
      join(folder, "v"),
    ]);
    assert.equal(verified.status, 1, verified.stderr);
    const report = JSON.parse(verified.stdout);
    assert.deepEqual(
      report.wrongJobs.map(({ worker, texts }: { worker: string; texts: number }) => [worker, texts]),
      [["liar", 1]],
    );
    log("a worker with one wrong bit is caught and named");

    const [job] = cutJobs(connection.engine, new Uint8Array(32).fill(9), [
      { text: new TextEncoder().encode("of a model that nobody has"), path: "lost/path.md" },
    ]);
    await connection.streams.publish(connection.names.jobSubject, encodeJob(job!), { msgID: job!.id });
    await run(["cluster", "worker", ...reach, "--threads", "1", "--until-idle", "4"]);
    const { failed, queue } = await cluster.status();
    assert.deepEqual(
      failed.map(({ job: id, path, tries }) => [id, path, tries]),
      [[job!.id, "lost/path.md", 5]],
    );
    assert.deepEqual(queue, { waiting: 0, taken: 0 });
    const shown = await run(["cluster", "status", ...reach]);
    assert.match(shown.stdout, /failed lost\/path\.md/);
    const metrics = await run(["cluster", "status", ...reach, "--metrics"]);
    assert.match(metrics.stdout, /selfsame_cluster_jobs_failed\{cluster="wrong"\} 1/);
    log("a job that failed five times is put aside, and status shows its document");
  } finally {
    await connection.close();
    await cluster.close();
  }
}

/** Takes the one job as a worker does, and changes the last bit of one vector. */
async function lie(connection: Awaited<ReturnType<typeof connect>>): Promise<void> {
  const { streams, names, engine, objects } = connection;
  const consumer = await streams.consumers.get(names.jobs, "workers");
  const message = await consumer.next({ expires: 30_000 });
  const job = decodeJob(engine, message!.data);
  const { model } = await loadModel({ model: "tiny" });
  const vectors = job.texts.map((text) => model.embed(text).vector);
  vectors[3]![5]! ^= 1;
  await objects.results.put(job.id, encodeResult(job, "liar", vectors));
  await message!.ackAck();
}
