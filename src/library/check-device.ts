import { chunkParameters } from "../chunks/chunk-parameters.ts";
import type { Engine } from "../engine/engine.ts";
import { BUILDS, loadEngine } from "../engine/load.ts";
import { checkFile } from "../engine/pinned-file.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { DEFAULT_NAMESPACE } from "../identity/ids.ts";
import {
  DEFAULT_MODEL,
  type ModelOptions,
  type NamedManifest,
  readManifest,
  readModelFile,
} from "../model/load.ts";
import { openDatabase } from "../store/open-database.ts";
import { SQLITE_SHA256 } from "../store/sqlite.ts";
import { canonDigest, canonParts, SPEC_VERSION } from "./canon.ts";
import { type Finding, findingOf, ok, warning } from "./finding.ts";

/**
 * Checks how the package runs on this device: which builds of the engine run correctly, whether SQLite and the model's
 * files are the ones that define results, and the canon that follows. Works in any host.
 *
 * @example
 * const findings = await checkDevice();
 * findings.filter(({ verdict }) => verdict !== "ok");
 */
export async function checkDevice(options: ModelOptions = {}): Promise<Finding[]> {
  const { findings, engine } = await checkBuilds(options);
  findings.push(await checkSqlite());
  const named = await readManifest(options.model ?? DEFAULT_MODEL).catch((error) =>
    findingOf("model", error),
  );
  if ("subject" in named) return [...findings, named];
  for (const role of ["weights", "tokenizer"] as const)
    findings.push(await checkModelFile(named, role, options));
  if (engine !== null) findings.push(canonOf(engine, named));
  return findings;
}

/** Checks each build separately: `auto` would stop at the first that is accepted. */
async function checkBuilds(options: ModelOptions): Promise<{ findings: Finding[]; engine: Engine | null }> {
  const source = options.source === undefined ? {} : { source: options.source };
  const findings: Finding[] = [];
  let engine: Engine | null = null;
  for (const build of BUILDS) {
    const subject = `engine ${build}`;
    try {
      const loaded = await loadEngine({ ...source, build });
      const isInUse = engine === null;
      engine ??= loaded.engine;
      findings.push(ok(subject, `accepted by the probe${isInUse ? ", in use" : ""}`));
    } catch (error) {
      findings.push(refusal(subject, error));
    }
  }
  // One build is enough: all give the same bits. If none runs, nothing works.
  if (engine !== null) return { findings, engine };
  return { findings: findings.map((each) => ({ ...each, verdict: "problem" })), engine };
}

function refusal(subject: string, error: unknown): Finding {
  const isRefused = error instanceof SelfsameError && error.code === "ENGINE_REFUSED";
  if (!isRefused) return findingOf(subject, error);
  const finding = findingOf(subject, error);
  return warning(
    subject,
    finding.detail,
    "No action needed: another build gives the same results, only slower",
  );
}

async function checkSqlite(): Promise<Finding> {
  try {
    const database = await openDatabase(":memory:", {});
    try {
      const { version } = database.get<{ version: string }>("SELECT sqlite_version() AS version")!;
      return ok("SQLite", `${version}, sha256 ${SQLITE_SHA256}, bm25 as expected`);
    } finally {
      database.close();
    }
  } catch (error) {
    return findingOf("SQLite", error);
  }
}

async function checkModelFile(
  named: NamedManifest,
  role: "weights" | "tokenizer",
  { files }: ModelOptions,
): Promise<Finding> {
  const { manifest } = named;
  const subject = `model ${role}`;
  try {
    await checkFile(files?.[role] ?? (await readModelFile(named, role)), manifest.files[role]);
  } catch (error) {
    return findingOf(subject, error);
  }
  const { bytes, sha256 } = manifest.files[role];
  return ok(subject, `${manifest.name}, ${bytes} bytes, sha256 ${sha256}, as in its manifest`);
}

function canonOf(engine: Engine, { manifest }: NamedManifest): Finding {
  const parts = canonParts(manifest, chunkParameters(manifest.limit), "auto", DEFAULT_NAMESPACE);
  return ok("canon", `${canonDigest(engine, parts)}, SPEC version ${SPEC_VERSION}`);
}
