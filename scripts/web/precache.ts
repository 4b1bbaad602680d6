import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const WORKER = "service-worker.js";
/** What the server says about its library, which is never kept. */
const SERVED = "library.json";
const PLACE = /["'`]__PRECACHE__["'`]/;
/** What the page can start without. */
const REST = /^test-vectors\/|^selfsame\/models\/tiny|engine\.(soft|scalar)|conformance/;

/** Tells the service worker every file of the build, and a version that changes with any of them. */
export function precache(): Plugin {
  let publicDir = "";
  return {
    name: "selfsame-precache",
    apply: "build",
    configResolved: (config) => {
      publicDir = config.publicDir;
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const worker = bundle[WORKER];
        if (worker?.type !== "chunk" || !PLACE.test(worker.code))
          this.error(`${WORKER} has no place for the list`);
        const built = Object.values(bundle).map(
          (file) => [file.fileName, file.type === "chunk" ? file.code : file.source] as const,
        );
        const copied = readdirSync(publicDir).map(
          (name) => [name, readFileSync(join(publicDir, name))] as const,
        );
        const files = [...built, ...copied]
          .filter(([name]) => name !== WORKER && name !== SERVED && !name.endsWith(".map"))
          .sort(([a], [b]) => (a < b ? -1 : 1));
        const hash = createHash("sha256");
        for (const [name, content] of files) hash.update(`${name}\n`).update(content);
        const names = files.map(([name]) => name);
        const list = {
          version: hash.digest("hex").slice(0, 16),
          core: names.filter((name) => !REST.test(name)),
          rest: names.filter((name) => REST.test(name)),
        };
        worker.code = worker.code.replace(PLACE, () => JSON.stringify(JSON.stringify(list)));
      },
    },
  };
}
