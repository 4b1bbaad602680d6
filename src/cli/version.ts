import { canonOf, DEFAULT_MODEL, SPEC_VERSION } from "../index.ts";
import { printFields, printJson } from "./output.ts";
import { packageVersion } from "./package-version.ts";

/** Runs `selfsame --version`. Two installations with the same canon give the same results for the same documents. */
export async function version(json: boolean): Promise<void> {
  const selfsame = packageVersion();
  const canon = await canonOf();
  if (json) return printJson({ selfsame, spec: SPEC_VERSION, canon, model: DEFAULT_MODEL });
  printFields([
    ["selfsame", selfsame],
    ["SPEC", SPEC_VERSION],
    ["canon", `${canon} (${DEFAULT_MODEL})`],
  ]);
}
