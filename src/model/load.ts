import type { Engine } from "../engine/engine.ts";
import { type EngineReport, type LoadOptions, loadEngine } from "../engine/load.ts";
import { pageAddress } from "../engine/page-address.ts";
import { resources } from "../engine/resources.ts";
import { describeValue } from "../errors/describe-value.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { parseNestedJson } from "../text/nested-json.ts";
import type { Tokenizer } from "../text/tokenizer.ts";
import { CrossEncoder } from "./cross-encoder.ts";
import { checkManifest, type ModelManifest } from "./manifest.ts";
import { Model, type ModelFiles } from "./model.ts";

/** The default model. */
export const DEFAULT_MODEL = "all-MiniLM-L6-v2";

/** The names of all manifests in models/. */
export const PACKAGE_MODELS: readonly string[] = [DEFAULT_MODEL, "tiny", "tiny-cross"];

const MANIFEST_BYTES_MAX = 1 << 20;

/** Options: which model is loaded, and into which engine. */
export interface ModelOptions extends LoadOptions {
  /** The name of a manifest in models/ (default `all-MiniLM-L6-v2`), the URL of one, or a manifest itself. */
  readonly model?: string | URL | ModelManifest;
  /** The model's files, if they are not to be read from the manifest's package or folder. */
  readonly files?: ModelFiles;
  /** The folder of the manifest's package, or of a manifest given as an object; in a page, relative to the page. */
  readonly modelUrl?: string;
}

/** A loaded model, and the engine it is in. */
export interface LoadedModel {
  /** The model. */
  readonly model: Model;
  /** Which build runs it, and why. */
  readonly report: EngineReport;
}

/** A loaded tokenizer. */
export interface LoadedTokenizer {
  /** The tokenizer. */
  readonly tokenizer: Tokenizer;
  /** The maximum number of tokens that its model reads. */
  readonly limit: number;
}

/**
 * Loads a model into a fresh engine.
 *
 * @example
 * const { model, report } = await loadModel();
 * console.log(model.embed("how are ties broken?").digest, report.build);
 */
export async function loadModel(options: ModelOptions = {}): Promise<LoadedModel> {
  const { model: named = DEFAULT_MODEL, files, modelUrl } = options;
  const [{ engine, report }, found] = await Promise.all([loadEngine(options), readManifest(named)]);
  return {
    model: await Model.load(engine, found.manifest, files ?? (await readFiles(found, modelUrl))),
    report,
  };
}

/** A loaded cross-encoder, and the engine it is in. */
export interface LoadedCrossEncoder {
  /** The cross-encoder. */
  readonly model: CrossEncoder;
  /** Which build runs it, and why. */
  readonly report: EngineReport;
}

/**
 * Loads a cross-encoder into a fresh engine: a model that reads two texts together. docs/cross-encoder.md says how to
 * bring one.
 *
 * @example
 * const { model } = await loadCrossEncoder({ model: new URL("ms-marco-MiniLM-L6-v2.json", "file:///models/") });
 * model.score("how many people live in Berlin?", "Berlin has 3.7 million inhabitants.");
 */
export async function loadCrossEncoder(
  options: ModelOptions & Required<Pick<ModelOptions, "model">>,
): Promise<LoadedCrossEncoder> {
  const { model: named, files, modelUrl } = options;
  const [{ engine, report }, found] = await Promise.all([loadEngine(options), readManifest(named)]);
  return {
    model: await CrossEncoder.load(engine, found.manifest, files ?? (await readFiles(found, modelUrl))),
    report,
  };
}

/**
 * Loads a model's tokenizer alone, without its weights.
 *
 * @example
 * const { tokenizer, limit } = await loadTokenizer();
 * tokenizer.tokenize("how are ties broken?", limit).ids;
 */
export async function loadTokenizer(options: Omit<ModelOptions, "files"> = {}): Promise<LoadedTokenizer> {
  const named = await readManifest(options.model ?? DEFAULT_MODEL);
  const { engine } = await loadEngine(options);
  return { tokenizer: await readTokenizer(engine, named, options), limit: named.manifest.limit };
}

/** Loads the tokenizer of a manifest's model into an engine. */
export async function readTokenizer(
  engine: Engine,
  { manifest, url }: NamedManifest,
  { files, modelUrl }: Pick<ModelOptions, "files" | "modelUrl">,
): Promise<Tokenizer> {
  const bytes = files?.tokenizer ?? (await readModelFile({ manifest, url }, "tokenizer", modelUrl));
  return Model.loadTokenizer(engine, manifest, bytes);
}

export interface NamedManifest {
  readonly manifest: ModelManifest;
  /** Where it was read from; null if it was given as an object. */
  readonly url: URL | null;
}

/** A manifest, and where it was read from. */
export async function readManifest(model: string | URL | ModelManifest): Promise<NamedManifest> {
  if (typeof model === "object" && !(model instanceof URL)) {
    return { manifest: checkManifest(model, "the given manifest"), url: null };
  }
  const url = typeof model === "string" ? manifestUrl(model) : model;
  const bytes = await resources.readUrl(url, MANIFEST_BYTES_MAX).catch((cause) => {
    if (typeof model !== "string" || model.includes("://")) throw cause;
    throw new SelfsameError(
      "FILE_MISSING",
      `expected the name of a model in models/, got ${model}, which has no manifest there`,
      `Give a name such as ${DEFAULT_MODEL}, or the URL of a manifest`,
      { cause },
    );
  });
  const text = new TextDecoder().decode(bytes);
  let value: unknown;
  try {
    value = parseNestedJson(text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new SelfsameError("BAD_MODEL", `${url.href}: expected a manifest in JSON, got ${message}`, "", {
      cause,
    });
  }
  return { manifest: checkManifest(value, url.href), url };
}

/**
 * Returns options that load exactly this manifest's model in any thread. An address that is read a second time could
 * return another manifest by then.
 */
export function pinnedOptions(options: ModelOptions, { manifest, url }: NamedManifest): ModelOptions {
  const isBeside = manifest.package === undefined && url !== null;
  return { ...options, model: manifest, ...(isBeside ? { modelUrl: new URL("./", url).href } : {}) };
}

function manifestUrl(name: string): URL {
  if (name.includes("://")) return addressOf(name, "the URL of a manifest");
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) {
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected the name of a model, got ${JSON.stringify(name)}`,
      `Give a name such as ${DEFAULT_MODEL}, or the URL of a manifest`,
    );
  }
  return resources.manifestUrl(name);
}

async function readFiles(named: NamedManifest, modelUrl: string | undefined): Promise<ModelFiles> {
  const [weights, tokenizer] = await Promise.all([
    readModelFile(named, "weights", modelUrl),
    readModelFile(named, "tokenizer", modelUrl),
  ]);
  return { weights, tokenizer };
}

/** Returns the bytes of one of a model's files, unchecked: the code that uses them checks them against the manifest. */
export async function readModelFile(
  { manifest, url }: NamedManifest,
  role: keyof ModelFiles,
  modelUrl?: string,
): Promise<Uint8Array> {
  const folder = modelUrl === undefined ? null : folderUrl(modelUrl);
  const base =
    manifest.package === undefined
      ? (url ?? folder)
      : (folder ?? (await resources.packageUrl(manifest.package)));
  if (base === null) {
    throw new SelfsameError(
      "FILE_MISSING",
      `expected the files of model ${manifest.name}, got a manifest without an address to read them from`,
      "Pass `files`, or `modelUrl`, or the manifest's URL instead of the manifest",
    );
  }
  const file = manifest.files[role];
  return resources.readPinned(new URL(file.path, base), file);
}

function folderUrl(address: string): URL {
  const folder = addressOf(address, "modelUrl to be an address");
  // Without the trailing slash, the folder's name would be replaced.
  if (!folder.pathname.endsWith("/")) folder.pathname += "/";
  return folder;
}

function addressOf(text: string, expected: string): URL {
  try {
    return new URL(text, pageAddress());
  } catch (cause) {
    throw new SelfsameError("BAD_ARGUMENT", `expected ${expected}, got ${describeValue(text)}`, "", {
      cause,
    });
  }
}
