// How many functions of real TypeScript and JavaScript lie whole in one chunk. TypeScript's own parser says where they
// are; a function starts with the comment above it.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { chunkDocument } from "#dist/chunks/chunk.js";
import { chunkParameters } from "#dist/chunks/chunk-parameters.js";
import type { Engine } from "#dist/engine/engine.js";
import { canonicalBytes } from "#dist/text/canonical.js";
import type { Tokenizer } from "#dist/text/tokenizer.js";

const FILES_MAX = 400;
const BYTES_MAX = 400_000;
/** Shorter ones are whole anyway. */
const LINES_MIN = 3;

function functionsOf(path: string, text: string): [start: number, end: number][] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: [number, number][] = [];
  const visit = (node: ts.Node): void => {
    const isNamed =
      (ts.isFunctionDeclaration(node) && node.body !== undefined) ||
      (ts.isMethodDeclaration(node) && node.body !== undefined) ||
      (ts.isConstructorDeclaration(node) && node.body !== undefined) ||
      ts.isGetAccessor(node) ||
      ts.isSetAccessor(node);
    const isAssigned =
      ts.isVariableStatement(node) &&
      node.declarationList.declarations.some(
        ({ initializer: value }) =>
          value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)),
      );
    if (isNamed || isAssigned) found.push([node.getStart(file, true), node.end]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.filter(([start, end]) => text.slice(start, end).split("\n").length >= LINES_MIN);
}

/** Of all files in a folder with one of the extensions, at most FILES_MAX, evenly spread. */
export function wholeFunctions(engine: Engine, tokenizer: Tokenizer, folder: string, extensions: RegExp) {
  const parameters = chunkParameters(256);
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => extensions.test(path) && statSync(join(folder, path)).isFile())
    .sort();
  const step = Math.max(1, Math.floor(paths.length / FILES_MAX));
  let [chunks, functions, fitting, whole] = [0, 0, 0, 0];
  for (let i = 0; i < paths.length; i += step) {
    const bytes = canonicalBytes(engine, readFileSync(join(folder, paths[i]!)));
    // Positions of the parser are then bytes.
    if (bytes.length > BYTES_MAX || bytes.some((byte) => byte > 127)) continue;
    const ranges = chunkDocument(tokenizer, paths[i]!, bytes, parameters);
    chunks += ranges.length;
    for (const [start, end] of functionsOf(paths[i]!, new TextDecoder().decode(bytes))) {
      const { length } = tokenizer.tokenizeCanonical(bytes.subarray(start, end), 1 << 20).ids;
      functions++;
      if (length > parameters.maxTokens || end - start > parameters.maxBytes) continue;
      fitting++;
      if (ranges.some((range) => range.start <= start && range.end >= end)) whole++;
    }
  }
  return {
    chunks,
    functions,
    "that fit in a chunk": fitting,
    "of those, whole": `${((100 * whole) / fitting).toFixed(1)} %`,
  };
}
