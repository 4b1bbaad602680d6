import type { BuildEvent, BuildReport, DefinitionOptions } from "../../cluster/index.ts";
import { SelfsameError } from "../../errors/index.ts";
import type { ExternalVectors, IndexKind } from "../../index.ts";
import { type ConnectionFlags, withCluster } from "../cluster-connection.ts";
import { interruptible } from "../interruption.ts";
import { dim, green, print, printError, printJson } from "../output.ts";
import { StatusLine } from "../status-line.ts";

interface BuildFlags extends ConnectionFlags {
  readonly folder: string;
  readonly watch?: boolean;
  readonly model?: string;
  readonly index?: IndexKind;
  readonly segment?: number;
  readonly shardChunks?: number;
  readonly vectors?: ExternalVectors;
  readonly activate?: boolean;
  readonly again?: boolean;
  readonly keep?: number;
  readonly json?: boolean;
}

/** With --watch, how often it looks for new documents. */
const LOOK_MS = 1000;

/** Runs `selfsame cluster build`. */
export async function clusterBuild(flags: BuildFlags): Promise<void> {
  const status = new StatusLine();
  await interruptible((signal) =>
    withCluster(flags, async (cluster) => {
      let definition = definitionOf(flags);
      // A new cluster without any wish is made with the defaults.
      const known = (await cluster.status()).canons.length > 0;
      if (!known) definition ??= {};
      for (let before = ""; ; ) {
        const report: BuildReport = await cluster.build({
          ...{ folder: flags.folder, signal, onEvent: (event) => status.show(dim(said(event))) },
          ...(definition === undefined ? {} : { definition }),
          ...(flags.activate === true ? { activate: true } : {}),
          ...(flags.again === true && before === "" ? { again: true } : {}),
          ...(flags.keep === undefined ? {} : { keep: flags.keep }),
        });
        status.clear();
        if (report.manifest !== before) say(report, flags.json === true);
        before = report.manifest;
        if (flags.watch !== true) return;
        await waited(LOOK_MS, signal);
        if (signal.aborted) return;
      }
    }),
  ).catch((error) => {
    // A build that watches ends with its signal: that is no failure.
    if (flags.watch === true && error instanceof SelfsameError && error.code === "ABORTED") return;
    throw error;
  });
}

function definitionOf({
  model,
  index,
  segment,
  shardChunks,
  vectors,
}: BuildFlags): DefinitionOptions | undefined {
  const definition = {
    ...(model === undefined ? {} : { model }),
    ...(index === undefined ? {} : { index }),
    ...(segment === undefined ? {} : { segment }),
    ...(shardChunks === undefined ? {} : { shardChunks }),
    ...(vectors === undefined ? {} : { vectors }),
  };
  return Object.keys(definition).length === 0 ? undefined : definition;
}

function said(event: BuildEvent): string {
  if (event.type === "planned") return `${event.changes} documents changed, ${event.jobs} jobs`;
  if (event.type === "embedding") return `waiting for ${event.waiting} jobs of workers`;
  if (event.type === "shard") return `shard ${event.done} of ${event.of}`;
  return event.type === "conflict" ? "another builder was faster; again from there" : "published";
}

function say(report: BuildReport, isJson: boolean): void {
  if (isJson) {
    printJson(report);
    return;
  }
  const { manifest, sequence, shards, made, jobs, known } = report;
  print(`${green(`state ${manifest.slice(0, 16)}`)}  ${dim(`up to operation ${sequence}`)}`);
  printError(dim(`${made} of ${shards} shards made, ${jobs} jobs, ${known} of them done before`));
}

function waited(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      done();
    });
  });
}
