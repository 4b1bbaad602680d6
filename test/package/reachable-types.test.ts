/** Every type that an entry exports is one that somebody meets: a function, a class or a value of the entry mentions it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (name: string) =>
  ts.parseConfigFileTextToJson(name, readFileSync(join(root, name), "utf8")).config;
const entries: readonly string[] = read("typedoc.json").entryPoints;
const { options } = ts.parseJsonConfigFileContent(read("tsconfig.check.json"), ts.sys, root);
const program = ts.createProgram(
  entries.map((name) => join(root, name)),
  options,
);
const checker = program.getTypeChecker();

const resolved = (symbol: ts.Symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/** What callers do not see: bodies and private members. */
function isHidden(node: ts.Node): boolean {
  if (ts.isBlock(node)) return true;
  if (!ts.isClassElement(node)) return false;
  const isPrivate = ts.canHaveModifiers(node)
    ? (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)
    : false;
  return isPrivate || (node.name !== undefined && ts.isPrivateIdentifier(node.name));
}

function reachableFrom(roots: readonly ts.Symbol[]): Set<ts.Symbol> {
  const found = new Set<ts.Symbol>();
  const waiting = [...roots];
  const visit = (node: ts.Node): void => {
    if (isHidden(node)) return;
    if (ts.isIdentifier(node)) {
      const symbol = checker.getSymbolAtLocation(node);
      if (symbol !== undefined) waiting.push(resolved(symbol));
    }
    ts.forEachChild(node, visit);
  };
  for (let symbol = waiting.pop(); symbol !== undefined; symbol = waiting.pop()) {
    if (found.has(symbol)) continue;
    found.add(symbol);
    for (const declaration of symbol.declarations ?? [])
      if (declaration.getSourceFile().fileName.startsWith(join(root, "src"))) visit(declaration);
  }
  return found;
}

it.each(entries)("of %s", (entry) => {
  const source = program.getSourceFile(join(root, entry))!;
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source)!);
  const isType = (symbol: ts.Symbol) =>
    symbol.declarations?.some((at) => ts.isExportSpecifier(at) && isTypeOnly(at)) === true ||
    (resolved(symbol).flags & ts.SymbolFlags.Value) === 0;
  const values = exported.filter((symbol) => !isType(symbol));
  expect(values.length).toBeGreaterThan(0);
  const reachable = reachableFrom(values.map(resolved));
  const lonely = exported.filter((symbol) => !reachable.has(resolved(symbol))).map(({ name }) => name);
  expect(lonely).toEqual([]);
});

function isTypeOnly(specifier: ts.ExportSpecifier): boolean {
  return specifier.isTypeOnly || specifier.parent.parent.isTypeOnly;
}
