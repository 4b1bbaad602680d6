// Receipts (SPEC §18) by the byte.
import { blake3 } from "./blake3.ts";

export interface Body {
  canon: string;
  root: string;
  metadataRoot: string | null;
  query: string;
  parameters: Record<string, unknown>;
  results: { id: string; score: string }[];
}

/** SPEC §12.1 */
function field(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** SPEC §12.5 */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(",")}}`;
}

/** SPEC §18.1 */
export function receiptBytes(body: Body): Buffer {
  const results = body.results.map(({ id, score }) =>
    Buffer.concat([Buffer.from(id, "hex"), Buffer.of(score.length / 2), Buffer.from(score, "hex")]),
  );
  return Buffer.concat(
    [
      Buffer.from("selfsame/receipt"),
      Buffer.from(body.canon, "hex"),
      Buffer.from(body.root, "hex"),
      Buffer.from(body.metadataRoot ?? "", "hex"),
      Buffer.from(body.query),
      Buffer.from(canonical(body.parameters)),
      Buffer.concat(results),
    ].map(field),
  );
}

export const receiptDigest = (body: Body): string => Buffer.from(blake3(receiptBytes(body))).toString("hex");
