/** How a document is read: it decides how its text is cut into chunks. SPEC §11.2 */
export type Format = "markdown" | "code" | "plain";

/** Every format. */
export const FORMATS: readonly Format[] = ["markdown", "code", "plain"];

/** Returns whether a value names a format. */
export function isFormat(value: unknown): value is Format {
  return (FORMATS as readonly unknown[]).includes(value);
}

const MARKDOWN = "markdown md mdown mdx mkd mkdn qmd rmd";

const CODE =
  "asm astro bash bat c cc cfg cjs clj cljs cmake cmd conf cpp cs css csv cts cue cxx d dart el elm erl ex exs f90 fish " +
  "fs fsx gd glsl go gql gradle graphql groovy h hcl hh hpp hrl hs htm html hxx ini ipynb java jl js json json5 jsonc " +
  "jsonl jsx kt kts less lisp lua m mjs mk ml mli mm mts nim nix php pl pm properties proto ps1 psm1 py pyi r rb rs s " +
  "sass scala scm scss sh sql styl sv svelte swift tcl tf toml ts tsv tsx v vb vhd vim vue wat wgsl xml yaml yml zig zsh";

const BY_EXTENSION: ReadonlyMap<string, Format> = new Map([
  ...MARKDOWN.split(" ").map((name) => [name, "markdown"] as const),
  ...CODE.split(" ").map((name) => [name, "code"] as const),
]);

/** Returns the default format of a path: that of its extension. */
export function formatOf(path: string): Format {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  if (dot <= 0) return "plain";
  // Only A–Z are folded: the host's folding of other letters may differ.
  const extension = name
    .slice(dot + 1)
    .replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32));
  return BY_EXTENSION.get(extension) ?? "plain";
}
