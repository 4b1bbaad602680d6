import { embedAll } from "./cached-embedding.ts";
import { chunkDocument } from "./chunker.ts";
import { logit, openCrossEncoder, pairOf } from "./cross-encoder.ts";
import { chunkId, documentId, textHash } from "./identity.ts";
import { readManifest, readModelFile } from "./manifest.ts";
import { type Ctx, type RecallChunk, type RecallDocument, recall } from "./recall.ts";
import { canonicalText } from "./text.ts";
import { vocabularyOf } from "./tokens.ts";

const MODEL = "tiny";
const CROSS_ENCODER = "tiny-cross";
const NAMESPACE = "shared:household";
const NOW = Date.UTC(2026, 10, 17, 18);

const DOCUMENTS: RecallDocument[] = [
  {
    path: "party/lena.md",
    text: "# Lena turns seven\n\nBalloons, candles and a chocolate cake for the birthday party. See [[Cake recipe]].\n",
    metadata: {
      date: "2026-11-10",
      people: ["alice", "bob"],
      tags: ["birthday"],
      affect: { valence: 0.75, arousal: 0.5 },
    },
    links: ["name lena", "name lena turn seven", "tag birthdai", "title cake recip"],
  },
  {
    path: "recipes/cake.md",
    text: "# Cake recipe\n\nFlour, eggs, sugar and chocolate. Bake it for forty minutes. Candles come last.\n",
    metadata: { date: "2025-03-01T09:30Z", owner: "alice", tom: ["bake", "celebrate"] },
    links: ["name cake", "name cake recip"],
  },
  {
    path: "school/meeting.md",
    text: "# Parents' meeting\n\nThe teacher wants signed forms by Friday. Bring [the cake](../recipes/cake.md) for the party.\n",
    modifiedAt: NOW - 3 * 24 * 3_600_000,
    links: ["name meet", "name parent meet", "path recipes/cake.md"],
  },
  {
    path: "gift.md",
    text: "The birthday gift is a bicycle, hidden in the garage behind the balloons and candles.\n",
    metadata: { readers: ["bob", "parents"], date: "2026-11-12" },
    links: ["name gift"],
  },
  {
    path: "health.md",
    text: "Doctor: the birthday cake had nuts, and the party ended early. Keep candles away.\n",
    metadata: { band: "RED", date: "2026-11-11" },
    links: ["name health"],
  },
  {
    path: "copies/lena.md",
    text: "Balloons, candles and a chocolate cake for the birthday party. See cake recipe.\n",
    links: ["name lena"],
  },
  {
    path: "garden.txt",
    text: "The apple trees need water. In summer the garden party had lanterns and a long table.\n",
    modifiedAt: NOW - 90 * 24 * 3_600_000,
    links: ["name garden"],
  },
  {
    path: "trip.md",
    text: "# Lake\n\nWe swam, rowed and slept in the cabin. Lena caught a fish.\n",
    metadata: { date: Date.UTC(2026, 7, 2), participants: "alice", tags: "summer" },
    links: ["name trip", "name lake", "tag summer"],
  },
];

const CASES: [name: string, query: string, ctx: Ctx][] = [
  [
    "the request of the contract",
    "birthday party balloons and candles",
    {
      person_id: "alice",
      space_id: NAMESPACE,
      time_budget_ms: 40,
      top_k: 12,
      allow_cross_encoder: false,
      mmr_lambda: 0.35,
      filters: {},
    },
  ],
  [
    "nobody, the ranker's order",
    "birthday party balloons and candles",
    { mmr_lambda: 1, near_duplicates: 0 },
  ],
  ["three results", "chocolate cake", { top_k: 3 }],
  ["a reader", "birthday gift", { person_id: "bob" }],
  ["a role", "birthday gift", { person_id: "carol", filters: { roles: ["parents"] } }],
  ["a higher band", "party candles", { filters: { max_band: "RED" } }],
  ["nothing shared", "party candles", { person_id: "alice", filters: { allow_shared: false } }],
  ["a phrase and an excluded word", '"birthday party" cake -nuts -lena', { person_id: "alice" }],
  ["a document in focus", "what is for the weekend", { focus_event_id: "recipes/cake.md" }],
  ["a workspace", "weekend", { workspace: ["apple trees and water", "the lake"] }],
  ["affect and mind", "cake", { affect: { valence: 0.5, arousal: -0.25 }, tom: ["bake", "sleep"] }],
  ["a name and its links", "tell me of the cake recipe", { time_budget_ms: 20 }],
  ["a name without links", "tell me of the cake recipe", { time_budget_ms: 5, top_k: 2 }],
  ["one link", "what about summer", { time_budget_ms: 10 }],
  [
    "other weights and constants",
    "party",
    { weights: { recency: 3, cosine: 0, bm25: -1 }, calibration: { slope: -0.5, offset: 1 } },
  ],
  ["words alone", "party cake", { stores: ["fts", "tfidf", "kg"] }],
  ["the graph alone", "lena", { stores: ["kg"] }],
  ["no words", "?!", {}],
  ["one of each document", "cake party candles", { per_document: 1, near_duplicates: 0 }],
  [
    "a cross-encoder ranks the first four again",
    "birthday party balloons and candles",
    { allow_cross_encoder: true, time_budget_ms: 20 },
  ],
  ["a cross-encoder ranks all again", "chocolate cake", { allow_cross_encoder: true, time_budget_ms: 1000 }],
  ["no pairs in the budget", "chocolate cake", { allow_cross_encoder: true, time_budget_ms: 10 }],
  ["nothing is found", "zeppelin", { stores: ["fts"] }],
];

export async function generate() {
  const manifest = readManifest(MODEL);
  const vocabulary = vocabularyOf(new TextDecoder().decode(readModelFile(manifest, "tokenizer")));
  const { limit } = manifest;
  const parameters = { maxTokens: limit, overlapTokens: Math.floor(limit / 8), maxBytes: 16 * limit };
  const chunks = DOCUMENTS.flatMap(({ path, text }) => {
    const canonical = canonicalText(new TextEncoder().encode(text));
    return chunkDocument(vocabulary, path, canonical, parameters).map((chunk) => {
      const bytes = canonical.subarray(chunk.start, chunk.end);
      const document = documentId(NAMESPACE, path);
      return {
        id: Buffer.from(chunkId(document, chunk.sequence, chunk.headingPath, textHash(bytes))).toString(
          "hex",
        ),
        documentId: Buffer.from(document).toString("hex"),
        path,
        sequence: chunk.sequence,
        headings: chunk.headingPath,
        text: new TextDecoder().decode(bytes),
        tokens: chunk.tokens,
      };
    });
  });
  const vectors = embedAll(
    MODEL,
    chunks.map(({ text }) => text),
  );
  const embedded: RecallChunk[] = chunks.map((chunk, i) => ({ ...chunk, vector: vectors[i]! }));
  const crossEncoder = openCrossEncoder(CROSS_ENCODER);
  const cases = [];
  for (const [name, query, given] of CASES) {
    const ctx = { now: NOW, ...given };
    const results = await recall(
      DOCUMENTS,
      embedded,
      NAMESPACE,
      query,
      ctx,
      (text) => embedAll(MODEL, [text])[0]!,
      (a, b) => {
        const { ids, first } = pairOf(crossEncoder, a, b);
        return logit(crossEncoder, ids, first);
      },
    );
    cases.push({ name, query, ctx, results });
  }
  return {
    _comment:
      "Recalls of a library with these documents, the model and the namespace. Scores, confidence and features are the bits of binary32; results in order.",
    spec: "SPEC §26",
    parameters: { model: MODEL, crossEncoder: CROSS_ENCODER, namespace: NAMESPACE },
    documents: DOCUMENTS.map(({ links: _, ...document }) => document),
    cases,
  };
}
