import type { Build } from "../../index.ts";
import { describeAttempt, loadModel } from "../../library/engine-entry.ts";
import { argumentOrInput, bold, green, print, printFields, printJson } from "../output.ts";
import { withModel } from "../with-model.ts";

interface Options {
  readonly build: Build | "auto";
  readonly model?: string;
  readonly json?: boolean;
}

/** Runs `selfsame embed <text>`. */
export async function embed(argument: string, options: Options): Promise<void> {
  const text = await argumentOrInput(argument);
  const { model, report } = await loadModel(withModel(options));
  const { vector, digest, tokens, truncated } = model.embed(text);
  if (options.json) {
    const { name, build, dim } = model;
    printJson({ model: name, build, dim, tokens, truncated, digest, vector: Array.from(vector) });
    return;
  }
  printFields([
    ["model", `${model.name}, ${model.dim} dimensions`],
    ["build", report.attempts.map(describeAttempt).join("; ")],
    ["tokens", `${tokens}${truncated ? ` (truncated: the rest of the text is ignored)` : ""}`],
    ["vector", `${vector.slice(0, 8).join(" ")} …`],
    ["digest", bold(green(digest))],
  ]);
  print("The digest is the same on every device and in every build.");
}
