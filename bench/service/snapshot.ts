import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { openNamespaces } from "selfsame";
import { openParts } from "#dist/library/open.js";
import { writeFileDurably } from "#dist/namespaces/durable-files.node.js";
import { readRegistry, writeRegistry, writeVectors } from "#dist/namespaces/vectors-file.js";
import type { Row } from "../service.bench.ts";
import { dataFolder, makeNamespace } from "./namespace.ts";

const DOCUMENTS = 50_000;
const CHUNKS_EACH = 10;
const GOAL_S = 5;

/** The vectors and the registry alone, as the contract counts; then the whole snapshot, with documents and metadata. */
export async function snapshotOfVectors(): Promise<Row[]> {
  const data = dataFolder("snapshot");
  await makeNamespace(data, "large", DOCUMENTS, CHUNKS_EACH);
  const file = join(data, "namespaces/large/library.db");
  const parts = await openParts(file, { namespace: "large" });
  const targets = ["vectors.index", "uuid_registry.jsonl"].map((each) => join(data, each));
  for (const target of targets) rmSync(target, { force: true });
  const cpu = process.cpuUsage();
  const began = performance.now();
  const { database, state, identity } = parts;
  const registry = readRegistry(database);
  await Promise.all([
    writeFileDurably(targets[0]!, (append) =>
      writeVectors(database, state.model, identity.hidden, registry, append),
    ),
    writeFileDurably(targets[1]!, (append) => writeRegistry(registry, append)),
  ]);
  const vectorsS = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  for (const target of targets) rmSync(target);
  database.close();
  const namespaces = await openNamespaces(data);
  const start = performance.now();
  const { folder } = await namespaces.snapshot("large");
  const wholeS = (performance.now() - start) / 1000;
  await namespaces.close();
  rmSync(folder, { recursive: true });
  return [
    {
      vectors: DOCUMENTS * CHUNKS_EACH,
      "vectors and registry, s": Number(vectorsS.toFixed(2)),
      "their CPU, s": Number(((user + system) / 1e6).toFixed(2)),
      "under 5 s": vectorsS < GOAL_S ? "yes" : "NO",
      "the whole snapshot, s": Number(wholeS.toFixed(2)),
      "library, MB": Math.round(statSync(file).size / 1e6),
    },
  ];
}
