type Attribute = string | number | boolean | null | ((event: never) => void);
export type Attributes = Readonly<Record<string, Attribute>>;
export type Child = Node | string | null;

const SVG = "http://www.w3.org/2000/svg";

/**
 * Creates an element. A function becomes a listener for the event it is named after (`onclick`), true an attribute
 * without a value; false and null are left out. Strings become text nodes, so nothing in a document is ever parsed as
 * markup.
 *
 * @example
 * element("button", { type: "button", onclick: save }, "Save");
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return dress(document.createElement(tag), attributes, children);
}

/** Like `element`, for SVG. */
export function drawing<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  return dress(document.createElementNS(SVG, tag), attributes, children);
}

function dress<T extends Element>(made: T, attributes: Attributes, children: readonly Child[]): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value as (event: Event) => void);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}
