/** How many hexadecimal digits of a digest people compare at a glance. */
export const SHORT_DIGITS = 8;

/** The colours of a cell and of the digit in it. Their contrast is at least 4.5 : 1. */
export interface CellColour {
  readonly cell: string;
  readonly digit: string;
}

const onDark = (cell: string): CellColour => ({ cell, digit: "#ffffff" });
const onLight = (cell: string): CellColour => ({ cell, digit: "#111111" });

/**
 * Colours by hexadecimal digit. They are the same in light and dark and on every device, so that a digest is
 * recognised.
 */
const COLOURS: readonly CellColour[] = [
  onDark("#374151"),
  onDark("#b91c1c"),
  onDark("#c2410c"),
  onDark("#854d0e"),
  onDark("#3f6f0f"),
  onDark("#047857"),
  onDark("#0e7490"),
  onDark("#1d4ed8"),
  onDark("#6d28d9"),
  onDark("#be185d"),
  onLight("#fca5a5"),
  onLight("#fdba74"),
  onLight("#fde047"),
  onLight("#86efac"),
  onLight("#7dd3fc"),
  onLight("#d8b4fe"),
];

/** Returns the cells of a digest: each of its first digits with that digit's colour. */
export function cellsOf(digest: string): readonly (CellColour & { readonly character: string })[] {
  return [...digest.slice(0, SHORT_DIGITS)].map((character) => ({
    character,
    ...COLOURS[Number.parseInt(character, 16)]!,
  }));
}
