// The thread of one snapshot or one restore: copying and hashing large files must not hold up the process.
import { parentPort } from "node:worker_threads";
import { errorRecord } from "../errors/error-record.ts";
import { type RestoreTask, stageSnapshot } from "./read-snapshot.node.ts";
import type { ReaderMessage } from "./reader-protocol.ts";
import { type SnapshotTask, writeSnapshot } from "./write-snapshot.node.ts";

/** What the thread is asked to do. */
export type SnapshotRequest =
  | { readonly type: "write"; readonly task: SnapshotTask }
  | { readonly type: "stage"; readonly task: RestoreTask };

parentPort!.on("message", async (request: SnapshotRequest) => {
  let message: ReaderMessage;
  try {
    const value =
      request.type === "write" ? await writeSnapshot(request.task) : await stageSnapshot(request.task);
    message = { type: "done", value };
  } catch (error) {
    message = { type: "failed", error: errorRecord(error) };
  }
  parentPort!.postMessage(message);
});
