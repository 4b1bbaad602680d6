// What a page shows, found without a parser: an independent check of the HTML extractor.

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: " ", copy: "©", mdash: "—", ndash: "–" },
  ...{ hellip: "…", rarr: "→", larr: "←", ldquo: "“", rdquo: "”", lsquo: "‘", rsquo: "’", para: "¶" },
  ...{ shy: "", times: "×", eacute: "é", szlig: "ß", reg: "®", trade: "™", laquo: "«", raquo: "»" },
};

/** Everything between the tags of a page, entities decoded, white space collapsed. */
export function visibleText(html: string): string {
  return html
    .replace(/<!--[\s\S]*?-->/g, " ")
    .replace(/<(script|style|template)\b[\s\S]*?<\/\1\s*>/gi, " ")
    .replace(/<\/?[a-zA-Z!?](?:"[^"]*"|'[^']*'|[^'">])*>/g, "")
    .replace(/&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|(\w+));/g, (_, decimal, hex, name) => {
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      return ENTITIES[name] ?? "\u0001";
    })
    .replace(/\s+/g, " ");
}

/** Returns what looks like a tag, an attribute or an entity in a text, and is not shown by the page itself. */
export function markupIn(text: string, html: string): string[] {
  const shown = visibleText(html).replace(/\s+/g, "");
  const suspects =
    text.match(/<\/?[a-zA-Z][^<>]*>|&(?:#\w+|\w+);|\b(?:class|href|id|src|style)="[^"]*"/g) ?? [];
  return suspects.filter((found) => !shown.includes(found.replace(/\\(?=[|#])/g, "").replace(/\s+/g, "")));
}
