import { SelfsameError } from "../index.ts";

/** Colour only for people: on a terminal, and not against NO_COLOR. */
const colourful = process.stdout.isTTY === true && process.env["NO_COLOR"] === undefined;
const paint = (code: number) => (text: string) => (colourful ? `\u001b[${code}m${text}\u001b[0m` : text);
export const bold = paint(1);
export const dim = paint(2);
export const green = paint(32);
export const yellow = paint(33);
export const cyan = paint(36);
export const red = paint(31);

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** One JSON document, nothing else. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

/** Names in a column, values beside them. */
export function printFields(fields: readonly (readonly [name: string, value: string])[]): void {
  const width = Math.max(...fields.map(([name]) => name.length));
  for (const [name, value] of fields) print(`${dim(name.padEnd(width))}  ${value}`);
}

/** Says on standard error what went wrong, with its code and the way out, and ends with exit code 1. */
export function failed(error: unknown): never {
  const message =
    error instanceof SelfsameError
      ? `${error.code}: ${error.message}`
      : String((error as Error)?.stack ?? error);
  process.stderr.write(`selfsame: ${message}\n`);
  process.exit(1);
}

/** The argument itself, or for `-` all of standard input, as bytes. */
export async function argumentOrInput(argument: string): Promise<string | Uint8Array> {
  if (argument !== "-") return argument;
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Buffer);
  return new Uint8Array(Buffer.concat(pieces));
}
