import { describeValue } from "../errors/describe-value.ts";
import { isPlainObject } from "../errors/plain-object.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { parseNestedJson } from "../text/nested-json.ts";

/** One tensor of a safetensors file: a view of its bytes. */
export interface Tensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

const HEADER_LIMIT = 1 << 20;
const BYTES_PER_ELEMENT: Readonly<Record<string, number>> = {
  F64: 8,
  F32: 4,
  F16: 2,
  BF16: 2,
  I64: 8,
  I32: 4,
  I16: 2,
  I8: 1,
  U64: 8,
  U32: 4,
  U16: 2,
  U8: 1,
  BOOL: 1,
};

/** Reads the header of a safetensors file and checks every range in it. `file` names it in errors. SPEC §8.1 */
export function readSafetensors(data: Uint8Array, file: string): Map<string, Tensor> {
  const headerLength = readHeaderLength(data, file);
  const header = parseHeader(data.subarray(8, 8 + headerLength), file);
  const body = data.subarray(8 + headerLength);
  const tensors = new Map<string, Tensor>();
  const ranges: [begin: number, end: number, name: string][] = [];
  for (const [name, entry] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const { dtype, shape, begin, end } = checkEntry(entry, name, body.length, file);
    ranges.push([begin, end, name]);
    tensors.set(name, { dtype, shape, bytes: body.subarray(begin, end) });
  }
  ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  for (let i = 1; i < ranges.length; i++) {
    const [before, after] = [ranges[i - 1]!, ranges[i]!];
    if (after[0] < before[1])
      refuse(file, "tensors that do not overlap", `${before[2]} and ${after[2]} overlapping`);
  }
  return tensors;
}

function readHeaderLength(data: Uint8Array, file: string): number {
  if (data.length < 8) refuse(file, "a safetensors file of 8 bytes or more", `${data.length} bytes`);
  const length = new DataView(data.buffer, data.byteOffset, 8).getBigUint64(0, true);
  const room = Math.min(HEADER_LIMIT, data.length - 8);
  if (length > BigInt(room)) refuse(file, `a header of at most ${room} bytes`, `${length} bytes`);
  return Number(length);
}

function parseHeader(bytes: Uint8Array, file: string): Record<string, unknown> {
  let header: unknown;
  try {
    header = parseNestedJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    refuse(file, "a header of UTF-8 JSON", (cause as Error).message);
  }
  if (!isPlainObject(header)) refuse(file, "a JSON object as the header", describeValue(header));
  return header;
}

function checkEntry(entry: unknown, name: string, bodyLength: number, file: string) {
  const { dtype, shape, data_offsets: offsets } = (entry ?? {}) as Record<string, unknown>;
  const isKnown = typeof dtype === "string" && Object.hasOwn(BYTES_PER_ELEMENT, dtype);
  const width = isKnown ? BYTES_PER_ELEMENT[dtype] : undefined;
  if (typeof dtype !== "string" || width === undefined)
    refuse(file, `a known dtype of ${name}`, describeValue(dtype));
  if (!isCounts(shape)) refuse(file, `a shape of whole numbers of ${name}`, describeValue(shape));
  if (!isCounts(offsets) || offsets.length !== 2) {
    refuse(file, `data_offsets [begin, end] of ${name}`, describeValue(offsets));
  }
  const [begin, end] = offsets as [number, number];
  if (begin > end || end > bodyLength) {
    refuse(file, `the bytes of ${name} within the file's ${bodyLength}`, `${begin} to ${end}`);
  }
  const expected = shape.reduce((product, size) => product * size, width);
  if (end - begin !== expected) {
    refuse(file, `${expected} bytes of ${name} (${dtype} [${shape.join(", ")}])`, `${end - begin} bytes`);
  }
  return { dtype, shape, begin, end };
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && item >= 0);
}

function refuse(file: string, expected: string, got: string): never {
  throw new SelfsameError(
    "BAD_MODEL",
    `${file}: expected ${expected}, got ${got}`,
    "The file is damaged or not a safetensors file: download it again",
  );
}
