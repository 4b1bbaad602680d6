import { SelfsameError } from "../errors/index.ts";

/**
 * Until a line is printed, styles are marks: Unicode noncharacters, which no text should contain. Anything else that
 * would control a terminal (escapes, control characters) came from a document or a file name and is made visible
 * instead. So nothing printed here can control the terminal, whoever wrote it.
 */
const SGR: Readonly<Record<string, number>> = {
  "\ufdd0": 0,
  "\ufdd1": 1,
  "\ufdd2": 2,
  "\ufdd3": 31,
  "\ufdd4": 32,
  "\ufdd5": 33,
  "\ufdd6": 36,
};
const paint = (mark: string) => (text: string) => `${mark}${text}\ufdd0`;
export const bold = paint("\ufdd1");
export const dim = paint("\ufdd2");
export const red = paint("\ufdd3");
export const green = paint("\ufdd4");
export const yellow = paint("\ufdd5");
export const cyan = paint("\ufdd6");

/** C0, DEL, C1 (the same in every version of Unicode), and the controls that change the direction of the text after them. */
export const CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

function visible(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code); // ␛ for ESC
  return code === 0x7f ? "␡" : "\ufffd";
}

function isColourful(stream: NodeJS.WriteStream): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return stream.isTTY === true && (NO_COLOR ?? "") === "" && TERM !== "dumb";
}

function write(stream: NodeJS.WriteStream, line: string): void {
  const colourful = isColourful(stream);
  const safe = line.replace(CONTROLS, visible);
  const styled = safe.replace(/[\ufdd0-\ufdd6]/g, (mark) => (colourful ? `\u001b[${SGR[mark]}m` : ""));
  stream.write(`${styled}\n`);
}

/** Prints one line on standard output. */
export function print(line: string): void {
  write(process.stdout, line);
}

/** Prints one line on standard error. */
export function printError(line: string): void {
  write(process.stderr, line);
}

export function warn(message: string): void {
  printError(`${yellow("warning:")} ${message}`);
}

/**
 * Prints one JSON document and nothing else. Its strings stay exact; characters that would control a terminal are
 * escaped, such as `\u009b`.
 */
export function printJson(value: unknown): void {
  const json = JSON.stringify(value).replace(
    CONTROLS,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  process.stdout.write(`${json}\n`);
}

/** Prints names in one column and values beside them. */
export function printFields(fields: readonly (readonly [name: string, value: string])[]): void {
  const width = Math.max(...fields.map(([name]) => name.length));
  for (const [name, value] of fields) print(`${dim(name.padEnd(width))}  ${value}`);
}

/** Reports an error on standard error, with its code and the remedy. */
export function printFailure(error: unknown): void {
  const { message, stack, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  const name = red("selfsame:");
  if (error instanceof SelfsameError) printError(`${name} ${error.code}: ${message}`);
  else if (syscall !== undefined) printError(`${name} ${message}`);
  else {
    printError(`${name} this is a bug in selfsame; please report it:`);
    for (const line of (stack ?? String(error)).split("\n")) printError(line);
  }
}

/** Returns the argument itself or, for `-`, all of standard input as bytes. */
export async function argumentOrInput(argument: string): Promise<string | Uint8Array> {
  if (argument !== "-") return argument;
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Buffer);
  return new Uint8Array(Buffer.concat(pieces));
}
