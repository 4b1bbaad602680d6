/** The deepest nesting of JSON that is accepted anywhere. */
export const JSON_DEPTH_MAX = 64;

/**
 * Parses JSON of limited depth. Code that visits the members of a value is recursive, and so are some hosts' parsers. A
 * deeply nested text could cause a RangeError anywhere, so it is refused here.
 *
 * @throws Error if the text is not JSON, or is nested over 64 deep
 */
export function parseNestedJson(text: string): unknown {
  const depth = jsonDepth(text);
  if (depth > JSON_DEPTH_MAX)
    throw new Error(`values nested ${depth} deep, where ${JSON_DEPTH_MAX} is the most`);
  return JSON.parse(text);
}

/** Returns the number of open brackets at the deepest point, in constant stack space. */
function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '"') isInString = !isInString;
    else if (isInString) {
      if (character === "\\") i++;
    } else if (character === "[" || character === "{") {
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (character === "]" || character === "}") depth--;
  }
  return deepest;
}
