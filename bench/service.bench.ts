// What a service costs beside single libraries: HTTP, namespaces that are closed and opened, snapshots, cold starts, vectors
// that are added. `npm run bench -- service`; the first run makes the libraries (minutes).
import { addingVectors } from "./service/adding.ts";
import { coldStart } from "./service/cold-start.ts";
import { overHttp } from "./service/http.ts";
import { snapshotOfVectors } from "./service/snapshot.ts";
import { switching } from "./service/switching.ts";

export type Row = Record<string, string | number>;

export async function bench(): Promise<{ title: string; rows: Row[] }[]> {
  return [
    { title: "HTTP, 10,000 chunks, hybrid queries of 10 results", rows: await overHttp() },
    { title: "Switching between 100 namespaces of 100 documents, 3 open at a time", rows: await switching() },
    { title: "A snapshot of 500,000 vectors", rows: await snapshotOfVectors() },
    { title: "Cold start from a snapshot of 100,000 chunks", rows: await coldStart() },
    { title: "Adding vectors to an index without a graph", rows: await addingVectors() },
  ];
}
