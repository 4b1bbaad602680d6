import type { Engine } from "../engine/engine.ts";
import type { LoadOptions } from "../engine/load.ts";
import type { Embedder } from "../model/embedder.ts";
import type { ModelIdentity } from "../model/manifest.ts";
import type { Database } from "../store/database.ts";
import type { Ingest } from "./ingest.ts";
import type { LibraryState } from "./library-state.ts";
import type { SemanticIndex } from "./semantic-index.ts";

/** What a library is made of; `openParts` puts it together. */
export interface LibraryParts {
  readonly engine: Engine;
  readonly database: Database;
  /** Answers what the library holds. */
  readonly state: LibraryState;
  /** Chunks, embeds and writes. */
  readonly ingest: Ingest;
  readonly embedder: Embedder;
  readonly semantic: SemanticIndex;
  /** Of the model that it was made with. */
  readonly identity: ModelIdentity;
  /** Where further engines come from. */
  readonly load: LoadOptions;
}
