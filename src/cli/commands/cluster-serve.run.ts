import type { ServeEvent } from "../../cluster/index.ts";
import { type ConnectionFlags, withCluster } from "../cluster-connection.ts";
import { dim, printError, red } from "../output.ts";
import { stopped } from "../stopped.ts";

interface ServeFlags extends ConnectionFlags {
  readonly folder: string;
  readonly id?: string;
  readonly copies?: number;
}

/** Runs `selfsame cluster serve`. */
export async function clusterServe(flags: ServeFlags): Promise<void> {
  const { folder, id, copies } = flags;
  const signal = stopped();
  await withCluster(flags, (cluster) =>
    cluster.serve({
      ...{ folder, signal, onEvent: say },
      ...(id === undefined ? {} : { id }),
      ...(copies === undefined ? {} : { replicas: copies }),
    }),
  );
}

function say(event: ServeEvent): void {
  if (event.type === "ready") printError(dim(`server ${event.id} is there`));
  else if (event.type === "failed") printError(`${red("failed")} ${event.reason}`);
  else
    printError(
      dim(`${event.type} shard ${event.prefix === "" ? "(all)" : event.prefix}  ${event.state.slice(0, 16)}`),
    );
}
