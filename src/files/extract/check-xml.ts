import { ExtractFault } from "./extract-fault.ts";

const DEPTH_MAX = 256;

/**
 * Refuses XML that is written to harm its reader: declarations of entities, and nesting deeper than any document's.
 *
 * @throws {ExtractFault}
 */
export function checkXml(name: string, source: string): void {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(source)) throw new ExtractFault(`${name} declares entities`);
  let depth = 0;
  for (const [tag] of source.matchAll(/<[^<>]*>/g)) {
    if (tag.startsWith("</")) depth--;
    else if (!tag.endsWith("/>") && !/^<[?!]/.test(tag)) depth++;
    if (depth > DEPTH_MAX) throw new ExtractFault(`${name} nests elements more than ${DEPTH_MAX} deep`);
  }
}

/**
 * Returns XHTML in the form of HTML: elements without content are closed by an end tag. HTML would take what follows
 * `<title/>` for its content.
 */
export function asHtml(source: string): string {
  return source.replace(/<([A-Za-z][\w:.-]*)((?:\s[^<>]*)?)\/>/g, "<$1$2></$1>");
}
