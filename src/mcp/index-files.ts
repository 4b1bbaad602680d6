import type { AddFilesReport, ProgressEvent } from "../index.ts";
import type { Service } from "./service.ts";
import type { Extra } from "./tool.ts";

/** What a client may assume of a tool that indexes. */
export const INDEXING_ANNOTATIONS = {
  readOnlyHint: false,
  destructiveHint: false,
};

export interface IndexedFiles {
  readonly report: AddFilesReport;
  /** The indexed files and folders, by their real paths. */
  readonly locations: readonly string[];
  readonly model: string;
  readonly backend: string;
}

/** Brings the server's own library up to date with files and folders. */
export async function indexFiles(
  service: Service,
  paths: readonly string[],
  force: boolean,
  extra: Extra,
): Promise<IndexedFiles> {
  const locations = await Promise.all(paths.map((path) => service.roots.existing(path)));
  const libraryPath = await service.libraryPath(null);
  const { signal } = extra;
  return service.libraries.write(
    libraryPath,
    { rebuild: force, model: service.model, signal },
    async (library) => {
      let isListChanged = false;
      try {
        const report = await library.addFiles(locations, {
          ...service.patterns,
          force,
          signal,
          root: service.documentsFolder(libraryPath),
          within: service.roots.folders,
          onProgress: progressReporter(extra),
          onDocument: (_, change) => {
            isListChanged ||= change !== "updated";
          },
        });
        return { report, locations, model: library.model, backend: `wasm-${library.build}` };
      } finally {
        // Also after a cancelled or failed call: documents that were written stay.
        if (isListChanged) service.documentsChanged();
      }
    },
  );
}

const PROGRESS_INTERVAL_MS = 100;

/** Reports progress to the client if its request has a progress token. */
function progressReporter({ _meta, sendNotification }: Extra): (event: ProgressEvent) => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let reported = -1;
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  let before = { documents: -1, chunks: 0 };
  return ({ documents, documentsTotal, chunks }) => {
    if (documents > before.documents) before = { documents, chunks };
    // The protocol wants a number that grows with every message: chunks count as a growing share of the next document.
    const progress = documents + 1 - 1 / (1 + Math.max(0, chunks - before.chunks));
    const now = performance.now();
    const isLast = documents === documentsTotal;
    if (progress <= reported || (!isLast && now - reportedAtMs < PROGRESS_INTERVAL_MS)) return;
    [reported, reportedAtMs] = [progress, now];
    const message = `${documents} of ${documentsTotal} files, ${chunks} chunks`;
    // A client that is gone needs no progress.
    sendNotification({
      method: "notifications/progress",
      params: { progressToken, progress, total: documentsTotal, message },
    }).catch(() => undefined);
  };
}
