import { loadTokenizer } from "../../library/engine-entry.ts";
import { argumentOrInput, cyan, dim, print, printJson } from "../output.ts";
import { withModel } from "../with-model.ts";

interface Options {
  readonly model?: string;
  readonly json?: boolean;
}

/** Runs `selfsame tokenize <text>`. */
export async function tokenize(argument: string, options: Options): Promise<void> {
  const text = await argumentOrInput(argument);
  const named = withModel(options);
  const { tokenizer, limit } = await loadTokenizer(named);
  const { ids, offsets, truncated } = tokenizer.tokenize(text, limit);
  const tokens = Array.from(ids, (id) => tokenizer.tokens[id]!);
  const ranges = Array.from(ids, (_, i) => [offsets[2 * i]!, offsets[2 * i + 1]!] as const);
  if (options.json) {
    printJson({ model: named.model, ids: Array.from(ids), tokens, offsets: ranges, truncated });
    return;
  }
  const width = Math.max(...tokens.map((token) => token.length));
  print(dim(`${"id".padStart(7)}  ${"token".padEnd(width)}  bytes of the canonical text`));
  for (const [i, token] of tokens.entries()) {
    const [start, end] = ranges[i]!;
    print(
      `${String(ids[i]).padStart(7)}  ${cyan(token.padEnd(width))}  ${start === end ? "" : `${start}–${end}`}`,
    );
  }
  if (truncated) print(`The text has more than ${limit} tokens: the rest is ignored.`);
}
