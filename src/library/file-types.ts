import { extensionOf } from "../files/extract/extract.ts";
import type { SkippedFile } from "../files/found-file.ts";

/** What is left out, in words, by extension. */
const LEFT_OUT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    image: "avif bmp gif heic ico jpeg jpg png psd raw tif tiff webp",
    "audio file": "aac flac m4a mid mp3 ogg opus wav wma",
    video: "avi m4v mkv mov mp4 mpeg mpg webm wmv",
    archive: "7z bz2 deb dmg gz iso jar rar rpm tar tgz xz zip zst",
    font: "eot otf ttf woff woff2",
    program: "a bin class dll dylib exe lib o obj pyc so wasm",
    database: "db mdb sqlite sqlite3",
    "office document": "doc key numbers odp ods odt pages ppt pptx rtf xls xlsx",
  }).flatMap(([what, extensions]) => extensions.split(" ").map((each) => [each, what] as const)),
);

/** Files counted by type, most first, and what was left out, in words for people. */
export interface FileTypes {
  /** Extensions in lower case, with how many files of each are in the library; `""` for files without one. */
  readonly taken: { readonly [extension: string]: number };
  /** What was left out, with how many of each: `images`, `over 10 MB`, `unreadable`. */
  readonly leftOut: { readonly [what: string]: number };
}

/** Counts files by type. */
export function fileTypes(taken: readonly string[], skipped: readonly SkippedFile[]): FileTypes {
  return { taken: counts(taken.map(extensionOf)), leftOut: counts(skipped.map(inWords)) };
}

function inWords({ path, reason, bytesMax }: SkippedFile): string {
  if (reason === "too large" && bytesMax !== undefined) return `over ${sizeInWords(bytesMax)}`;
  if (reason !== "binary") return reason;
  return `${LEFT_OUT.get(extensionOf(path)) ?? "binary file"}s`;
}

function sizeInWords(bytes: number): string {
  return bytes < 1 << 20 ? `${bytes} bytes` : `${Math.floor(bytes / (1 << 20))} MB`;
}

function counts(names: readonly string[]): { [name: string]: number } {
  const all = new Map<string, number>();
  for (const name of names) all.set(name, (all.get(name) ?? 0) + 1);
  return Object.fromEntries([...all].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}
