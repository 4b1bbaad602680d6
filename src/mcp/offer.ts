/** Which tools a server offers beside those that every server has. */
export interface Offer {
  /** Those of contracts: names, arguments, defaults and answers are the contract's. */
  readonly contracts?: boolean | undefined;
  /** Those that change documents. */
  readonly writable?: boolean | undefined;
}
