// How vectors print arrays: each element's bits in hex digits (8 for binary32 and i32, 4 for i16), two's complement, one after
// the other without a gap. `group*n` is a group that stands n times; groups are separated by a space.
import { bitsOf } from "./arith.ts";

export function hexOfF32(values: Float32Array): string {
  return runs(Uint32Array.from(values, bitsOf), (word) => word.toString(16).padStart(8, "0"));
}

export function hexOfI32(values: Int32Array): string {
  return runs(values, (word) => (word >>> 0).toString(16).padStart(8, "0"));
}

export function hexOfI16(values: Int16Array): string {
  return runs(values, (word) => (word & 0xffff).toString(16).padStart(4, "0"));
}

/** Runs of eight and more equal elements become `element*n`; everything between them is one group. */
function runs(values: ArrayLike<number>, print: (value: number) => string): string {
  const groups: string[] = [];
  let group = "";
  for (let from = 0, to = 0; from < values.length; from = to) {
    while (to < values.length && values[to] === values[from]) to++;
    const element = print(values[from]!);
    if (to - from < 8) {
      group += element.repeat(to - from);
    } else {
      if (group !== "") groups.push(group);
      groups.push(`${element}*${to - from}`);
      group = "";
    }
  }
  if (group !== "") groups.push(group);
  return groups.join(" ");
}
