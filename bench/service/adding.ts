import { loadEngine, VectorIndex } from "selfsame/engine";
import type { Row } from "../service.bench.ts";
import { clusteredVectors } from "../vectors/data.ts";

const VECTORS = 200_000;
const DIM = 384;
const GOAL_PER_SECOND = 50_000;

/** As a library adds them when it is loaded: one by one, into an index whose graph is not kept up. */
export async function addingVectors(): Promise<Row[]> {
  const { engine } = await loadEngine();
  const index = VectorIndex.create(engine, { dim: DIM, graph: false });
  const vectors = clusteredVectors(VECTORS);
  const ids = Array.from({ length: VECTORS }, (_, i) => {
    const id = new Uint8Array(16);
    new DataView(id.buffer).setUint32(0, i);
    return id;
  });
  const cpu = process.cpuUsage();
  const began = performance.now();
  for (const [i, id] of ids.entries()) index.add(id, vectors.at(i));
  const perSecond = VECTORS / ((performance.now() - began) / 1000);
  const { user, system } = process.cpuUsage(cpu);
  return [
    {
      vectors: VECTORS,
      dimension: DIM,
      "vectors a second": Math.round(perSecond),
      "vectors a second of CPU": Math.round(VECTORS / ((user + system) / 1e6)),
      "at least 50,000": perSecond >= GOAL_PER_SECOND ? "yes" : "NO",
    },
  ];
}
