import type { z } from "zod";
import { DEFAULT_MODEL, type ModelOptions, type NamespaceStats } from "../index.ts";
import { loadEngine, loadModel } from "../library/engine-entry.ts";
import type { healthAnswer } from "./schemas.ts";

type Answer = z.infer<typeof healthAnswer>;

/** How the device was at the start: the engine and the model do not change while the server runs. */
export interface Device {
  readonly build: string | null;
  readonly model: string;
  readonly hasWeights: boolean;
  readonly limit: number | null;
  readonly warnings: readonly string[];
}

/** Checks the engine's known answers and the model's files. */
export async function inspectDevice(options: Pick<ModelOptions, "model" | "build">): Promise<Device> {
  const model = typeof options.model === "string" ? options.model : DEFAULT_MODEL;
  const warnings: string[] = [];
  const build = await loadEngine(options.build === undefined ? {} : { build: options.build }).then(
    ({ report }) => report.build,
    (error: Error) => {
      warnings.push(`the engine does not compute right here: ${error.message}`);
      return null;
    },
  );
  const limit = await loadModel(options).then(
    (loaded) => loaded.model.manifest.limit,
    (error: Error) => {
      warnings.push(`the model cannot be loaded, so only words are searched: ${error.message}`);
      return null;
    },
  );
  return { build, model, hasWeights: limit !== null, limit, warnings };
}

/** Returns the state of the server. It is broken if the engine computes wrongly or a library cannot be read. */
export function healthOf(
  device: Device,
  stats: Readonly<Record<string, NamespaceStats>>,
  version: string,
): Answer {
  const all = Object.entries(stats);
  const shown = all.filter(([, { open, degraded }]) => open || degraded);
  const isBroken = device.build === null || all.some(([, { ntotal }]) => ntotal === null);
  const isDegraded = isBroken || !device.hasWeights || all.some(([, { degraded }]) => degraded);
  return {
    status: isBroken ? "broken" : isDegraded ? "degraded" : "ok",
    degraded: isDegraded,
    version,
    engine: { build: device.build, probe: device.build === null ? "failed" : "passed" },
    model: { name: device.model, weights: device.hasWeights ? "present" : "missing" },
    namespaces: Object.fromEntries(
      shown.map(([name, each]) => [name, { ...each, warnings: [...each.warnings] }]),
    ),
    warnings: [...device.warnings],
  };
}
