import type { WorkerEvent } from "../../cluster/index.ts";
import { type ConnectionFlags, withCluster } from "../cluster-connection.ts";
import { interruptionOf } from "../interruption.ts";
import { dim, green, print, printError, printJson, red } from "../output.ts";
import { stopped } from "../stopped.ts";

interface WorkerFlags extends ConnectionFlags {
  readonly threads?: number;
  readonly id?: string;
  readonly untilIdle?: number;
  readonly json?: boolean;
}

/** Runs `selfsame cluster worker`. */
export async function clusterWorker(flags: WorkerFlags): Promise<void> {
  const { threads, id, untilIdle } = flags;
  const stop = stopped();
  const report = await withCluster(flags, (cluster) =>
    cluster.work({
      ...(threads === undefined ? {} : { threads }),
      ...(id === undefined ? {} : { id }),
      ...(untilIdle === undefined ? {} : { idleMs: untilIdle * 1000 }),
      signal: stop,
      onEvent: flags.json === true ? () => undefined : say,
    }),
  ).catch((error) => {
    if (interruptionOf(error) !== null) return null;
    throw error;
  });
  if (report === null) return;
  if (flags.json === true) printJson(report);
  else print(`${green(`${report.texts} texts embedded`)} ${dim(`in ${report.jobs} jobs`)}`);
}

function say(event: WorkerEvent): void {
  if (event.type === "verified")
    printError(dim(`verified: ${event.cases} published cases of ${event.model}, to the bit`));
  else if (event.type === "ready") printError(dim(`worker ${event.id} takes jobs`));
  else if (event.type === "done")
    printError(dim(`${event.job.slice(0, 16)}  ${event.texts} texts${event.isNew ? "" : ", known already"}`));
  else printError(`${red("failed")} ${event.job?.slice(0, 16) ?? "a job"}: ${event.reason}`);
}
