import { describeValue } from "../errors/describe-value.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";

const NAME = /^[A-Za-z0-9_:-][A-Za-z0-9._:-]{0,63}$/;
/** Characters that every file system keeps as they are. Upper-case letters are not among them: case may be lost. */
const PLAIN = /^[a-z0-9._-]$/;
const ESCAPE = "=";
const ESCAPED = /=([0-9a-f]{2})/g;
/** Names that Windows gives to devices, in any folder and with any extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;

/**
 * Checks the name of a namespace: 1 to 64 of `A-Z a-z 0-9 . _ : -`, the first not a dot. SPEC §22.1
 *
 * @throws {SelfsameError} BAD_NAMESPACE
 */
export function checkNamespace(name: string): string {
  if (typeof name === "string" && NAME.test(name)) return name;
  throw new SelfsameError(
    "BAD_NAMESPACE",
    `expected the name of a namespace, 1 to 64 of A-Z a-z 0-9 . _ : - and the first not a dot, got ${describeValue(name)}`,
    "Give another name",
    { details: { namespace: describeValue(name) } },
  );
}

/**
 * Returns the name of a namespace's folder. Every character that some file system changes or refuses is written as `=`
 * and its two hexadecimal digits. SPEC §22.1
 */
export function encodeNamespace(name: string): string {
  const isDevice = DEVICE.test(name);
  return [...checkNamespace(name)]
    .map((character, at) => {
      const isLastDot = character === "." && at === name.length - 1; // Windows drops it
      const isPlain = PLAIN.test(character) && !isLastDot && !(isDevice && at === 0);
      return isPlain ? character : ESCAPE + character.charCodeAt(0).toString(16).padStart(2, "0");
    })
    .join("");
}

/** Returns the name of the namespace whose folder has this name; null if no namespace has such a folder. */
export function decodeNamespace(folder: string): string | null {
  const name = folder.replace(ESCAPED, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return NAME.test(name) && encodeNamespace(name) === folder ? name : null;
}
