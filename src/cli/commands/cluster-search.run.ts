import { printReceipt } from "../../index.ts";
import { type ConnectionFlags, withCluster } from "../cluster-connection.ts";
import { dim, print, printJson, warn } from "../output.ts";
import type { SearchFlagValues } from "../search-flags.ts";
import { searchParameters } from "../search-parameters.ts";
import { printAnswer, withFlag, writeReceipt } from "./search.run.ts";

interface SearchFlags extends ConnectionFlags, SearchFlagValues {
  readonly receipt?: string;
  readonly allowPartial?: boolean;
  readonly json?: boolean;
}

/** Runs `selfsame cluster search <query>`. */
export async function clusterSearch(query: string, flags: SearchFlags): Promise<void> {
  const { receipt: file, allowPartial = false, json } = flags;
  const parameters = searchParameters(flags);
  await withCluster(flags, async (cluster) => {
    const library = await cluster.open();
    try {
      const answer = await library.search(query, parameters, { allowPartial }).catch(withFlag(parameters));
      const { receipt, missing, manifest } = answer;
      if (missing.length > 0)
        warn(`these shards did not answer: ${missing.map((each) => each || "(all)").join(", ")}`);
      if (file !== undefined && receipt === null) warn("an answer without all shards has no receipt");
      if (file === "-") {
        if (receipt !== null) process.stdout.write(printReceipt(receipt));
        return;
      }
      if (file !== undefined && receipt !== null) writeReceipt(file, printReceipt(receipt));
      if (json === true) printJson(answer);
      else {
        printAnswer(answer, { shown: (path) => path, meant: (typed) => [typed] });
        print(dim(`state ${manifest.slice(0, 16)}`));
      }
    } finally {
      await library.close();
    }
  });
}
