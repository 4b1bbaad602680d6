// Writes src/engine/exports.generated.ts: the interface of the engine's exports, from assembly/index.ts and the functions
// that it names, and the numbers of assembly/codes.ts. scripts/build-engine.mjs calls it before it compiles.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";

const ASSEMBLY = new URL("../assembly/", import.meta.url);
const TARGET = new URL("../src/engine/exports.generated.ts", import.meta.url);

/** How WebAssembly hands a value of an AssemblyScript type to JavaScript. */
const HOST_TYPES = { i32: "number", u32: "number", usize: "number", bool: "number", void: "void" };

function parse(path) {
  const text = readFileSync(new URL(path, ASSEMBLY), "utf8");
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

const isExported = (node) =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;

/** The doc comment directly above a declaration, its lines without stars; none for a comment that stands apart. */
function docOf(node) {
  return (ts.getJSDocCommentsAndTags(node)[0]?.getText() ?? "")
    .replace(/^\/\*\*|\*\/$/g, "")
    .split("\n")
    .map((line) => line.replace(/^ *\* ?/, "").trimEnd())
    .join("\n")
    .trim();
}

function hostType(node, where) {
  const type = node?.getText() ?? "void";
  if (!(type in HOST_TYPES))
    throw new Error(`expected a type of ${Object.keys(HOST_TYPES).join(", ")}, got ${type} (${where})`);
  return { type, host: HOST_TYPES[type] };
}

/** Every function that assembly/index.ts exports, in its order: name, file, doc, parameters and result. */
export function engineFunctions() {
  return parse("index.ts")
    .statements.filter(ts.isExportDeclaration)
    .flatMap((statement) => {
      const file = `${statement.moduleSpecifier.text.replace("./", "")}.ts`;
      const source = parse(file);
      return statement.exportClause.elements.map(({ name: { text: name } }) => {
        const found = source.statements.find(
          (node) => ts.isFunctionDeclaration(node) && isExported(node) && node.name.text === name,
        );
        if (found === undefined) throw new Error(`expected a function ${name} in assembly/${file}, got none`);
        const parameters = found.parameters.map((each) => ({
          name: each.name.getText(),
          ...hostType(each.type, name),
        }));
        return { name, file, doc: docOf(found), parameters, result: hostType(found.type, name) };
      });
    });
}

/** Every number of assembly/codes.ts: name, doc, value. */
export function engineCodes() {
  return parse("codes.ts")
    .statements.filter((node) => ts.isVariableStatement(node) && isExported(node))
    .map((node) => {
      const [{ name, initializer }] = node.declarationList.declarations;
      return { name: name.getText(), doc: docOf(node), value: Number(initializer.getText()) };
    });
}

function comment(doc, indent) {
  const lines = doc.split("\n");
  if (lines.length === 1) return `${indent}/** ${doc} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

function member({ name, file, doc, parameters, result }) {
  const list = parameters.map((each) => `${each.name}: ${each.host}`).join(", ");
  const signed = ["u32", "usize"].includes(result.type) ? " Unsigned: read it as `>>> 0`." : "";
  return `${comment(`${doc || `In assembly/${file}.`}${signed}`, "  ")}  ${name}(${list}): ${result.host};\n`;
}

function generate() {
  return `// Written by scripts/generate-exports.mjs from assembly/; do not edit.

/**
 * What every build exports: functions of numbers (pointers, lengths, bit patterns, 0 or 1 for a bool), and the memory.
 * WebAssembly passes 32 bits without a sign, and JavaScript reads them with one.
 */
export interface EngineExports {
  /** All of the engine's state. */
  readonly memory: WebAssembly.Memory;
${engineFunctions().map(member).join("")}}

${engineCodes()
  .map(({ name, doc, value }) => `${doc ? comment(doc, "") : ""}export const ${name} = ${value};\n`)
  .join("")}`;
}

/** Whether the file differs from what `generate` gives now. */
export function isStale() {
  return !existsSync(TARGET) || readFileSync(TARGET, "utf8") !== generate();
}

/** Writes the file if it is stale; returns whether it was. */
export function writeExports() {
  if (!isStale()) return false;
  writeFileSync(TARGET, generate());
  return true;
}
