import { counted } from "../../errors/index.ts";
import { type FollowEvent, open } from "../../index.ts";
import { interruptible } from "../interruption.ts";
import { openOrMake } from "../location.ts";
import { dim, green, print, printJson, red, warn, yellow } from "../output.ts";
import { type IndexCommandOptions, type IndexPlan, planIndexing } from "../plan-indexing.ts";
import { duration, ProgressBar } from "../progress-bar.ts";
import { relativePath } from "../relative-path.ts";

/** Runs `selfsame watch [paths…]`. It normally ends by being stopped, so that is not a failure. */
export async function watch(paths: readonly string[], options: IndexCommandOptions): Promise<void> {
  const plan = planIndexing(paths, options);
  const bar = new ProgressBar(true);
  const tell = options.json ? tellJson(plan) : tellPeople(plan);
  await interruptible(async (signal) => {
    const library = await openOrMake(plan.library, (file) => open(file, plan.open));
    try {
      await library.followFiles(plan.paths, {
        ...plan.files,
        signal,
        onProgress: bar.update,
        onEvent: (event) => {
          bar.end();
          tell(event);
        },
      });
    } finally {
      bar.end();
      await library.close();
    }
  });
  if (options.json) printJson({ event: "stopped" });
  else print("Stopped.");
}

const SIGNS = { added: green("+"), updated: yellow("~"), removed: red("-") } as const;

function tellPeople({ library, paths }: IndexPlan): (event: FollowEvent) => void {
  return (event) => {
    const time = dim(clock());
    switch (event.type) {
      case "watching":
        print(
          `${time} watching ${paths.map(relativePath).join(", ")} for ${relativePath(library)} (Ctrl-C stops)`,
        );
        break;
      case "document":
        print(`${time} ${SIGNS[event.change]} ${event.path}`);
        break;
      case "scanned": {
        const { added, updated, removed, unchanged, embedded, root } = event.report;
        const counts = `${added} added, ${updated} updated, ${removed} removed, ${unchanged} unchanged`;
        const cost = `${counted(embedded, "text")} embedded in ${duration(event.milliseconds / 1000)}`;
        for (const { path, detail } of event.report.metadataFaults)
          print(`${time} the front matter of ${path} was ignored: ${detail}`);
        print(`${time} ${counts}; ${cost}; root ${root.slice(0, 16)}`);
        break;
      }
      case "failed":
        warn(`${event.error.code}: ${event.error.message} (trying again)`);
    }
  };
}

function tellJson({ library, paths }: IndexPlan): (event: FollowEvent) => void {
  return (event) => {
    switch (event.type) {
      case "watching":
        printJson({ event: "watching", library, paths });
        break;
      case "document":
        printJson({ event: event.change, path: event.path });
        break;
      case "scanned":
        printJson({ event: "scanned", ...event.report, milliseconds: Math.round(event.milliseconds) });
        break;
      case "failed":
        printJson({ event: "failed", code: event.error.code, message: event.error.message });
    }
  };
}

/** Returns the local time, to the second. */
function clock(): string {
  return new Date().toTimeString().slice(0, 8);
}
