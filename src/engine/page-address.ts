/** Returns the address of the page or Worker that this code runs in; undefined outside of browsers. */
export function pageAddress(): string | undefined {
  return (globalThis as { readonly location?: { readonly href: string } }).location?.href;
}
