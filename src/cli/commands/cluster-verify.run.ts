import { type ConnectionFlags, withCluster } from "../cluster-connection.ts";
import { interruptible } from "../interruption.ts";
import { dim, green, print, printJson, red } from "../output.ts";
import { UsageError } from "../usage-error.ts";

interface VerifyFlags extends ConnectionFlags {
  readonly folder: string;
  readonly share?: number;
  readonly threads?: number;
  readonly receipt?: string;
  readonly db?: string;
  readonly json?: boolean;
}

/** Runs `selfsame cluster verify`. */
export async function clusterVerify(flags: VerifyFlags): Promise<void> {
  if (flags.receipt !== undefined) return verifyReceipt(flags.receipt, flags);
  const { folder, share, threads } = flags;
  const report = await interruptible((signal) =>
    withCluster(flags, (cluster) =>
      cluster.verify({
        ...{ folder, signal },
        ...(share === undefined ? {} : { share }),
        ...(threads === undefined ? {} : { threads }),
      }),
    ),
  );
  if (!report.isSound) process.exitCode = 1;
  if (flags.json === true) return printJson(report);
  print(`${report.checked} of ${report.jobs} jobs computed again`);
  for (const { job, worker, texts } of report.wrongJobs)
    print(`${red("wrong")} job ${job.slice(0, 16)} of worker ${worker}: ${texts} vectors differ`);
  if (report.shard !== null) {
    const { prefix, documents, vectors, differences } = report.shard;
    print(
      `shard ${prefix === "" ? "(all)" : prefix}: ${documents} documents derived again, ${vectors} vectors computed again`,
    );
    for (const difference of differences) print(`${red("different")} ${difference}`);
  }
  print(
    report.isSound ? green("Sound: everything that was drawn is the same, to the bit") : red("Not sound"),
  );
  if (report.wrongJobs.length > 0) print(dim("Stop these workers, then: selfsame cluster build --again"));
}

/** A receipt of a cluster is a receipt: a library with the same documents gives it, too. */
async function verifyReceipt(receipt: string, { db, json }: VerifyFlags): Promise<void> {
  if (db === undefined)
    throw new UsageError("expected --db with --receipt, got none", "Name a library with the same documents");
  const { verifyReceipt: verified } = await import("./verify-receipt.run.ts");
  await verified(receipt, { db, ...(json === true ? { json } : {}) });
}
