import type { Engine } from "../engine/engine.ts";
import type { LoadOptions } from "../engine/load.ts";
import type { CrossEncoderLoader } from "../model/cross-encoder-loader.ts";
import type { Embedder } from "../model/embedder.ts";
import type { ModelIdentity } from "../model/manifest.ts";
import type { FeatureGenerator } from "../search/query-features.ts";
import type { Database } from "../store/database.ts";
import type { Tokenizer } from "../text/tokenizer.ts";
import type { Ingest } from "./ingest.ts";
import type { LibraryState } from "./library-state.ts";
import type { SemanticIndex } from "./semantic-index.ts";
import type { SparseVectors } from "./sparse-vectors.ts";

/** The parts of a library; `openParts` assembles them. */
export interface LibraryParts {
  readonly engine: Engine;
  readonly database: Database;
  /** Reports what the library holds. */
  readonly state: LibraryState;
  /** Chunks, embeds and writes. */
  readonly ingest: Ingest;
  readonly embedder: Embedder;
  /** Whether the embedder is closed with the library. */
  readonly ownsEmbedder: boolean;
  readonly semantic: SemanticIndex;
  readonly sparse: SparseVectors;
  /** Loads the tokenizer of its model. */
  readonly tokenizer: () => Promise<Tokenizer>;
  /** What the application computes queries' vectors with; null if it registered nothing. */
  readonly featureGenerator: FeatureGenerator | null;
  /** What may rank memories again; null if no cross-encoder was named. */
  readonly crossEncoder: CrossEncoderLoader | null;
  /** The identity of the model that it was made with. */
  readonly identity: ModelIdentity;
  /** How further engines are loaded. */
  readonly load: LoadOptions;
  /** Opens another file of this library, with the same options. */
  readonly openBeside: (name: string) => Promise<LibraryParts>;
}
