import { SelfsameError } from "../index.ts";
import type { Service } from "./service.ts";

/** Watching that failed (the library was moved, or cannot be written) starts again after this time. */
const AGAIN_MS = 10_000;

/** Keeps the server's own library up to date with the files that `index` takes by default, until `stop` fires. */
export async function watchFiles(service: Service, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    try {
      await watchOnce(service, stop);
    } catch (error) {
      if (stop.aborted) return;
      if (!(error instanceof SelfsameError)) throw error;
      service.log(`--watch: ${error.code}: ${error.message}; trying again in ${AGAIN_MS / 1000} s`);
    }
    await pause(AGAIN_MS, stop);
  }
}

async function watchOnce(service: Service, stop: AbortSignal): Promise<void> {
  const locations = await service.configuredLocations();
  const file = await service.libraryPath(null);
  // Makes the library if it is missing.
  const write = { rebuild: false, model: service.model, signal: stop };
  await service.libraries.write(file, write, async () => undefined);
  // Not as one write that never ends: index and add_note have their turns between two scans.
  await service.libraries.use(file, (library) =>
    library.followFiles(locations, {
      ...service.patterns,
      root: service.documentsFolder(file),
      within: service.roots.folders,
      signal: stop,
      onEvent: (event) => {
        if (event.type === "failed") service.log(`--watch: ${event.error.code}: ${event.error.message}`);
        else if (event.type === "scanned") {
          const { added, updated, removed } = event.report;
          service.log(`--watch: ${added} added, ${updated} updated, ${removed} removed`);
          if (added + removed > 0) service.documentsChanged();
        }
      },
    }),
  );
}

function pause(milliseconds: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) return resolve();
    const timer = setTimeout(resolve, milliseconds);
    stop.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
