// How vectors print arrays: each element's bits in hex digits (8 for binary32 and i32, 4 for i16), two's complement,
// concatenated without separators. `group*n` is a group repeated n times; groups are separated by a space.

/** Returns the elements of a printed array, unsigned, with `digits` hex digits each. */
export function parseHex(text: string, digits: 4 | 8): number[] {
  const elements: number[] = [];
  for (const part of text.split(" ")) {
    const [group = "", times = "1"] = part.split("*");
    const values: number[] = [];
    for (let at = 0; at < group.length; at += digits) {
      values.push(Number.parseInt(group.slice(at, at + digits), 16));
    }
    for (let i = 0; i < Number(times); i++) elements.push(...values);
  }
  return elements;
}

/** Returns a printed array with its repetitions expanded, so that equal arrays are equal strings. */
export function expandHex(text: string): string {
  return text
    .split(" ")
    .map((part) => {
      const [group = "", times = "1"] = part.split("*");
      return group.repeat(Number(times));
    })
    .join("");
}

/** Returns elements as expanded hex, `digits` each. */
export function printHex(elements: ArrayLike<number>, digits: 4 | 8): string {
  let text = "";
  for (let i = 0; i < elements.length; i++) {
    const bits = digits === 4 ? elements[i]! & 0xffff : elements[i]! >>> 0;
    text += bits.toString(16).padStart(digits, "0");
  }
  return text;
}
