import { readFileSync } from "node:fs";
import { SelfsameError } from "../errors/index.ts";

/**
 * Returns the server's token: the first line of a file, or the variable SELFSAME_TOKEN; undefined if neither is given. There is no
 * flag for it, because other users of the device can read a command line.
 *
 * @throws {SelfsameError} BAD_ARGUMENT for an empty one, so that a mistake opens no door
 */
export function tokenFrom(file: string | undefined, variable: string | undefined): string | undefined {
  if (file === undefined) {
    if (variable === "") throw emptyToken("SELFSAME_TOKEN", "unset the variable");
    return variable;
  }
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected to read a token from ${file}, got ${(cause as Error).message}`,
      "Make one: (umask 077; openssl rand -hex 16 > token)",
      { cause },
    );
  }
  const [token = ""] = text.split(/\r?\n/, 1);
  if (token === "") throw emptyToken(file, "leave out --token-file");
  return token;
}

function emptyToken(where: string, without: string): SelfsameError {
  return new SelfsameError(
    "BAD_ARGUMENT",
    `expected a token in ${where}, got an empty one`,
    `Set a token, or ${without} to serve every program on this device`,
  );
}
