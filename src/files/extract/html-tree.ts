import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from "parse5";
import { Deadline, ExtractFault } from "./extract-fault.ts";

export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;
export type HtmlElement = DefaultTreeAdapterTypes.Element;

/** Pages are some tens deep. The parser's time grows with depth times size. */
const DEPTH_MAX = 512;
/** Unclosed formatting is opened again in every block, so elements can be far more than tags. */
const ELEMENTS_MAX = 2_000_000;

/** Parses a page as browsers do, within limits. @throws {ExtractFault} */
export function parseHtml(source: string): DefaultTreeAdapterTypes.Document {
  const deadline = new Deadline();
  let depth = 0;
  let elements = 0;
  return parse<DefaultTreeAdapterMap>(source, {
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement(tagName, namespace, attrs) {
        if ((++elements & 0xfff) === 0) deadline.check();
        if (elements > ELEMENTS_MAX) throw new ExtractFault(`more than ${ELEMENTS_MAX} elements`);
        return defaultTreeAdapter.createElement(tagName, namespace, attrs);
      },
      onItemPush() {
        if (++depth > DEPTH_MAX) throw new ExtractFault(`elements nested more than ${DEPTH_MAX} deep`);
      },
      onItemPop() {
        depth--;
      },
    },
  });
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return "tagName" in node;
}

/** Returns the value of an attribute; undefined if it is not there. */
export function attribute({ attrs }: HtmlElement, name: string): string | undefined {
  for (const attr of attrs) if (attr.name === name) return attr.value;
  return undefined;
}

/** Returns the first element below a node for which the test holds, in the order of the page. */
export function findElement(
  node: { readonly childNodes: readonly HtmlNode[] },
  test: (element: HtmlElement) => boolean,
): HtmlElement | null {
  for (const child of node.childNodes) {
    if (!isElement(child)) continue;
    if (test(child)) return child;
    const found = findElement(child, test);
    if (found !== null) return found;
  }
  return null;
}

/** Returns the text of a node and of all below it, as it is. */
export function textOf(node: HtmlNode): string {
  if ("value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
}
