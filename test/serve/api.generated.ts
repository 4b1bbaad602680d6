// Written by scripts/generate-api-client.ts.
export interface paths {
    "/v1/hybrid/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Search a namespace by meaning and by words */
        post: operations["query"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Recall memories from a space, with reasons and a confidence, within what a person may see */
        post: operations["recall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hybrid/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add documents, or chunks with their vectors, to a namespace, or update them: a JSON list, or one JSON object per line; any number, streamed */
        post: operations["ingest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hybrid/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove documents by their paths */
        delete: operations["deleteDocuments"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/hybrid/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What each namespace holds, and how it is */
        get: operations["stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the server works: 200, also if it works less well (`degraded`); 503 if something is broken */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Metrics for Prometheus */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All namespaces */
        get: operations["listNamespaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a namespace, its documents and its snapshots */
        delete: operations["dropNamespace"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{name}/root": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The root, the canon and the metadata root */
        get: operations["root"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{name}/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Nodes of the trees behind the roots, for a pull; off unless the server allows pulls */
        post: operations["nodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{name}/paths": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The paths of documents by their ids, for the preview of a pull; off unless the server allows pulls */
        post: operations["paths"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{name}/pack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A pack of documents with the vectors of their texts, for a pull; off unless the server allows pulls */
        post: operations["pack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{name}/verify-receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Re-run the search of a receipt from another device, and compare */
        post: operations["verifyReceipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Embed texts, in OpenAI's form */
        post: operations["createEmbedding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The model that embeds, in OpenAI's form */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            error: {
                /** @description Stable, for programs to branch on */
                code: string;
                /** @description What was expected and what came instead */
                message: string;
                /** @description What to do about it; may be empty */
                hint: string;
            };
        };
        QueryRequest: {
            /** @description Words, or a question */
            query: string;
            /** @description 1 to 64 of A-Z a-z 0-9 . _ : - and the first not a dot; default `default` */
            namespace?: string;
            /** @description Only documents whose metadata has this value, or one of these values, under this key */
            filters?: {
                [key: string]: (string | number | boolean | null) | (string | number | boolean | null)[];
            } | null;
            /** @description Results per page; default 10 */
            page_size?: number;
            /** @description `next_cursor` of the page before, with the same other fields */
            cursor?: string | null;
            /** @description Make results differ from each other (MMR); default false */
            diversification?: boolean;
            /** @description Add each channel's score to every result; default true */
            diagnostics?: boolean;
            /** @description Compare all vectors, even if a graph would answer; default false */
            recall_first?: boolean;
            /** @description After this time the answer is what was found by then: `degraded`, with a warning and without a receipt */
            timeout_ms?: number;
            /** @description Filters on paths, media types, times, text and metadata */
            document_filters?: {
                /** @description Only documents whose path matches a pattern, such as "docs/**" */
                path?: string | string[];
                /** @description Only documents of a media type, such as "text/markdown" or "text/*" */
                mime?: string | string[];
                /** @description Only documents modified after a date (UTC unless it names a zone) */
                modified_after?: number | string;
                /** @description Only documents modified before a date (UTC unless it names a zone) */
                modified_before?: number | string;
                /** @description Only documents that contain this text; case-sensitive */
                contains?: string;
                /** @description Only documents whose metadata has this value under this key; of several values, one must match */
                metadata?: {
                    [key: string]: (string | number | boolean | null) | (string | number | boolean | null)[];
                };
            };
            /** @description The contract whose defaults hold; default `docstokg`; null for the library's own */
            preset?: ("cfs" | "rifflux" | "orchestration" | "docstokg") | null;
            /**
             * @description Search by meaning (semantic), by words (lexical), or by both, fused (hybrid); default hybrid
             * @enum {string}
             */
            mode?: "hybrid" | "semantic" | "lexical";
            /** @description The number of results; default 10 */
            top_k?: number;
            /** @description The number of candidates by meaning; default 20, or top_k or page_size if that is more */
            semantic_k?: number;
            /** @description The number of candidates by words; default 20, or top_k or page_size if that is more */
            lexical_k?: number;
            /** @description The number of candidates by sparse vectors, if that channel has a weight; default 80 */
            sparse_k?: number;
            /**
             * @description How words are scored: bm25plus favours long chunks that have a rare word; default bm25
             * @enum {string}
             */
            bm25_scoring?: "bm25" | "bm25plus";
            /** @description The constant of reciprocal rank fusion; default 60 */
            rrf_k?: number;
            /** @description The weight of each channel in fusion; default 1, 1 and 0 */
            weights?: {
                /** @description The semantic channel's weight in fusion; default 1 */
                semantic?: number;
                /** @description The lexical channel's weight in fusion; default 1 */
                lexical?: number;
                /** @description The sparse channel's weight in fusion; with 0 it is not searched; default 0 */
                sparse?: number;
            };
            /** @description The query's vector as a list of numbers, instead of the one that the library's model computes */
            vector?: number[];
            /** @description The query's terms and weights for the sparse channel: an object with the lists terms and weights; default its tokens, weighted by rarity */
            sparse?: {
                terms: string[];
                weights: number[];
            };
            /** @description How widely the graph is searched; larger values are slower and find more; default 50 */
            ef?: number;
            /** @description Compare all vectors, even if there is a graph */
            exact?: boolean;
            /** @description Among equal scores, put results that both channels found first */
            prefer_coverage?: boolean;
            /**
             * @description pre: filter before ranking. post: rank everything, then filter; default pre
             * @enum {string}
             */
            filter_mode?: "pre" | "post";
            /** @description Prefer results that differ from each other */
            diversify?: boolean | {
                /** @description For diversify: from 0 (difference alone) to 1 (relevance alone); default 0.7 */
                lambda?: number;
            };
            /**
             * @description path: one result per document
             * @enum {string}
             */
            group_by?: "path";
            /** @description Fold results into a better one if their SimHashes differ in at most this many of 64 bits; 3 is usual; default 0 */
            near_duplicates?: number;
            /** @description Leave out results that are less similar than this and have none of the words */
            min_similarity?: number;
            /** @description Require quoted phrases also in results that are found by meaning; default true */
            bind_phrases?: boolean;
            /** @description Replace words that occur in no document by the nearest ones that do; default true */
            spelling?: boolean;
            /** @description Show both ranked lists and how they were fused */
            explain?: boolean;
        };
        QueryAnswer: {
            results: {
                /** @description The document's path */
                doc_id: string;
                /** @description The path and the chunk's place in the document: `notes/ties.md#0`; or the `chunk_id` that it came with */
                chunk_id: string;
                /** @description The chunk's id as a UUID */
                vector_id: string;
                namespace: string;
                /** @description The fused score */
                score: number;
                /** @description The place in the whole list, from 1 */
                fused_rank: number;
                text: string;
                /** @description The words that matched */
                highlights: string[];
                /** @description With `near_duplicates`: the ids of the chunks that were folded into it */
                duplicates?: string[];
                /** @description Where they are in `text`: [start, end), in UTF-16 units, as `text.slice(start, end)` takes them */
                provenance_offsets: [
                    number,
                    number
                ][];
                /** @description Left out if `diagnostics` is false */
                diagnostics?: {
                    /** @description From 0 to 1 within the list; null if words did not find the chunk */
                    bm25_score: number | null;
                    /** @description null if the sparse channel did not find the chunk */
                    splade_score: number | null;
                    /** @description The cosine, from 0 to 1; null if the vectors did not find the chunk */
                    dense_score: number | null;
                    fusion_weights: {
                        bm25: number;
                        splade: number;
                        dense: number;
                    };
                };
                /** @description Of the document; and the fields that came with a chunk that was made elsewhere */
                metadata: {
                    [key: string]: unknown;
                };
            }[];
            next_cursor: string | null;
            /** @description The number of distinct chunks that the channels found */
            total_candidates: number;
            timings_ms: {
                lexical_ms: number;
                /** @description Embedding the query and searching the vectors */
                dense_ms: number;
                fusion_ms: number;
                total_ms: number;
            };
            fusion_weights: {
                bm25: number;
                splade: number;
                dense: number;
            };
            stats: {
                faiss: {
                    /** @description The number of vectors */
                    ntotal: number;
                    dimension: number;
                    /** @enum {string} */
                    index_type: "Flat" | "HNSW";
                };
                lexical: {
                    bm25_latency_p95_ms: number;
                };
            };
            /** @description null if the answer is partial */
            receipt: ({
                version: number;
                canon: string;
                root: string;
                query: string;
                digest: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description What a person should know first: nothing is close, a word was corrected, all words are common ones */
            notices: string[];
            /** @description What could not be done, and what was done instead */
            warnings: string[];
            /** @description Whether something worked less well than it should; `warnings` says what */
            degraded: boolean;
            /** @description If `explain` was set */
            explanation?: {
                [key: string]: unknown;
            };
        };
        RecallRequest: {
            /** @description The question */
            query_text: string;
            ctx?: {
                /** @description Who asks; documents with `readers` must name this person or a role */
                person_id?: string;
                /** @description The namespace */
                space_id?: string;
                /** @description A document in focus, by path or id */
                focus_event_id?: string;
                /** @description Texts that a workspace shows at this moment */
                workspace?: string[];
                /** @description How much work is done, by a fixed table: 5 to 1000; default 40 */
                time_budget_ms?: number;
                /** @description How many memories: 1 to 100; default 12 */
                top_k?: number;
                /** @description Whether a cross-encoder, if there is one, ranks the first memories again; default false */
                allow_cross_encoder?: boolean;
                /** @description 0: as different as possible; 1: by relevance alone; default 0.35 */
                mmr_lambda?: number;
                /** @description Bits of 64 in which near-duplicates may differ; default 3, 0: off */
                near_duplicates?: number;
                /** @description The most memories of one document: 1 to 100; default no limit */
                per_document?: number;
                filters?: {
                    /** @description Whether shared documents may be seen; default true */
                    allow_shared?: boolean;
                    /**
                     * @description The highest band that may be seen; default GREEN
                     * @enum {string}
                     */
                    max_band?: "GREEN" | "AMBER" | "RED" | "BLACK";
                    /** @description Roles of the person that `readers` may name */
                    roles?: string[];
                    path?: string | string[];
                    mime?: string | string[];
                    modifiedAfter?: number | string;
                    modifiedBefore?: number | string;
                    contains?: string;
                    metadata?: {
                        [key: string]: (string | number | boolean | null) | (string | number | boolean | null)[];
                    };
                };
                /** @description Milliseconds since 1970; only with it the answer has a receipt */
                now?: number;
                affect?: {
                    valence: number;
                    arousal: number;
                };
                /** @description What the person has in mind: goals, beliefs */
                tom?: string[];
                /** @description Other weights, by feature */
                weights?: {
                    [key: string]: number;
                };
                calibration?: {
                    slope: number;
                    offset: number;
                };
                /** @description The stores to ask; default all */
                stores?: string[];
                use_feedback?: boolean;
                /** @description A hard limit: stages may be left out, and then there is no receipt */
                deadline_ms?: number;
            };
        };
        RecallAnswer: {
            results: {
                doc_id: string;
                chunk_id: string;
                score: number;
                reasons: string[];
                text: string;
                /** @description Where the chunk starts in its document, from 1 */
                line: number;
                confidence: number;
                /** @description The store that ranked it best */
                source: string;
                features: {
                    bm25: number;
                    tfidf_cosine: number;
                    cosine: number;
                    recency: number;
                    personalization: number;
                    affect_compat: number;
                    tom_alignment: number;
                    focus: number;
                    length_penalty: number;
                    source_prior: number;
                    rrf: number;
                };
                /** @description Weight times feature; their sum is the score */
                contributions: {
                    bm25: number;
                    tfidf_cosine: number;
                    cosine: number;
                    recency: number;
                    personalization: number;
                    affect_compat: number;
                    tom_alignment: number;
                    focus: number;
                    length_penalty: number;
                    source_prior: number;
                    rrf: number;
                };
                /** @description Chunks that are nearly the same, folded into this one */
                duplicates: string[];
                cross_encoder?: number;
            }[];
            used_time_ms: number;
            trace: {
                stage: string;
                top3: {
                    doc_id: string;
                    chunk_id: string;
                    score: number;
                    reasons: string[];
                }[];
                stages: {
                    stage: string;
                    candidates: number;
                }[];
                budget: {
                    time_budget_ms: number;
                    top_k: number;
                    candidates: number;
                    hops: number;
                    pairs: number;
                };
                clamped: string[];
                left_out: string[];
            };
            now: number;
            /** @enum {string} */
            now_source: "request" | "clock";
            receipt: ({
                digest: string;
                root: string;
            } & {
                [key: string]: unknown;
            }) | null;
            warnings: string[];
        };
        Documents: {
            /** @description The document's name: adding it again updates the document */
            path: string;
            text: string;
            /** @description Anything; `filters` of a query can ask for it */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description Milliseconds since 1970, or a date with its time zone */
            modified_at?: (number | string) | null;
            /** @description Such as `text/markdown` */
            mime?: string | null;
            /** @description Instead of the parameter; the same in all documents */
            namespace?: string;
        }[] | ({
            /** @description 32 hexadecimal digits, with or without hyphens: the chunk keeps it as its id */
            uuid: string;
            /** @description The document; its chunks are exactly those of this request */
            doc_id: string;
            text: string;
            chunk_id?: string | number;
            num_tokens?: number;
            source_chunk_idxs?: number[];
            doc_items_refs?: string[];
            source_path?: string;
            /** @description The dense vector; or under the name of its model: `"Qwen3-4B": {"vector": […]}` */
            vector?: number[];
            /** @description The sparse vector; or as `SpladeV3` */
            sparse?: {
                terms: string[];
                weights: number[];
            };
            /** @description Kept and given back; or as `BM25` */
            bm25?: {
                terms: string[];
                weights: number[];
            };
            /** @description 1 to 64 of A-Z a-z 0-9 . _ : - and the first not a dot; default `default` */
            namespace?: string;
        } & {
            [key: string]: unknown;
        })[];
        IngestAnswer: {
            namespace: string;
            received: number;
            added: number;
            updated: number;
            unchanged: number;
            rejected: number;
            /** @description The number of chunks that were written */
            chunks: number;
            /** @description How many texts had to be embedded; the others were known */
            embedded: number;
            /** @description How many chunks of the namespace are stored and not ranked */
            near_duplicates: number;
            /** @description The first 100 */
            rejections: {
                /** @description The number of the document in the request, from 1 */
                row: number;
                path: string | null;
                code: string;
                reason: string;
            }[];
            root: string;
            metadata_root: string;
            duration_ms: number;
        };
        DeleteRequest: {
            /** @description 1 to 64 of A-Z a-z 0-9 . _ : - and the first not a dot; default `default` */
            namespace?: string;
            paths: string[];
        };
        DeleteAnswer: {
            namespace: string;
            removed: number;
            missing: string[];
            root: string;
        };
        StatsAnswer: {
            namespaces: {
                [key: string]: {
                    /** @description The number of vectors; null if the library cannot be read */
                    ntotal: number | null;
                    documents: number | null;
                    last_used: string | null;
                    open: boolean;
                    degraded: boolean;
                    warnings: string[];
                } & {
                    [key: string]: unknown;
                };
            };
            lexical: {
                [key: string]: {
                    bm25_latency_p95_ms: number;
                };
            };
            configuration: {
                max_active_namespaces: number;
                /** @description Settings that have another effect here than they say, or none */
                notices: string[];
            };
            degraded: boolean;
        };
        HealthAnswer: {
            /** @enum {string} */
            status: "ok" | "degraded" | "broken";
            degraded: boolean;
            version: string;
            engine: {
                build: string | null;
                /** @enum {string} */
                probe: "passed" | "failed";
            };
            model: {
                name: string;
                /** @enum {string} */
                weights: "present" | "missing";
            };
            /** @description Those that are open, and those that are degraded */
            namespaces: {
                [key: string]: {
                    /** @description The number of vectors; null if the library cannot be read */
                    ntotal: number | null;
                    documents: number | null;
                    last_used: string | null;
                    open: boolean;
                    degraded: boolean;
                    warnings: string[];
                } & {
                    [key: string]: unknown;
                };
            };
            warnings: string[];
        };
        NamespacesAnswer: {
            namespaces: ({
                /** @description The number of vectors; null if the library cannot be read */
                ntotal: number | null;
                documents: number | null;
                last_used: string | null;
                open: boolean;
                degraded: boolean;
                warnings: string[];
                name: string;
            } & {
                [key: string]: unknown;
            })[];
        };
        DropAnswer: {
            namespace: string;
            /** @constant */
            dropped: true;
        };
        RootAnswer: {
            namespace: string;
            /** @description The same on every device with the same paths and texts */
            root: string;
            /** @description The same for times, media types and metadata */
            metadata_root: string;
            /** @description The digest of everything else that decides results */
            canon: string;
            documents: number;
            chunks: number;
        };
        NodesRequest: {
            /**
             * @description The tree of the root, or that of the metadata root
             * @enum {string}
             */
            tree: "text" | "metadata";
            /** @description Prefixes of document ids, in hexadecimal digits; the empty one is the root */
            prefixes: string[];
        };
        NodesAnswer: {
            /** @description The record of each node in base64; empty if there is no such node */
            nodes: string[];
        };
        PathsRequest: {
            /** @description Document ids, in hexadecimal */
            ids: string[];
        };
        PathsAnswer: {
            /** @description null for a document that does not exist */
            paths: (string | null)[];
        };
        PackRequest: {
            /** @description Bit prefixes of document ids, none within another: the pack has the documents below them */
            prefixes: string[];
            /** @description Whether it has the vectors of their texts; default true */
            vectors?: boolean;
        };
        /** @description A receipt, as a query returned it or as `selfsame search --receipt` wrote it */
        Receipt: {
            [key: string]: unknown;
        };
        VerifyAnswer: {
            namespace: string;
            is_same: boolean;
            differences: {
                [key: string]: unknown;
            }[];
            /** @description What any device can check: POST /v1/namespaces/{name}/verify-receipt, or selfsame verify-receipt */
            actual: {
                version: number;
                canon: string;
                root: string;
                query: string;
                digest: string;
            } & {
                [key: string]: unknown;
            };
            warnings: string[];
        };
        EmbeddingsRequest: {
            input: string | string[];
            model: string;
            /**
             * @description Default `float`
             * @enum {string}
             */
            encoding_format?: "float" | "base64";
            /** @description Only the model's own */
            dimensions?: number;
        } & {
            [key: string]: unknown;
        };
        EmbeddingsAnswer: {
            /** @constant */
            object: "list";
            data: {
                /** @constant */
                object: "embedding";
                index: number;
                /** @description The unit vector, or its binary32 in base64 */
                embedding: number[] | string;
            }[];
            model: string;
            usage: {
                prompt_tokens: number;
                total_tokens: number;
            };
        };
        ModelsAnswer: {
            /** @constant */
            object: "list";
            data: {
                id: string;
                /** @constant */
                object: "model";
                created: number;
                owned_by: string;
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    query: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QueryRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryAnswer"];
                };
            };
            /** @description The request is wrong; `message` says what was expected */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The host or the origin is not the server's, or pulls are not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such namespace or model */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The cursor or the library belongs to another state, or the library changed meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests at once; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug or a damaged library; the server's log says more */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Busy for a moment; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    recall: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecallRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecallAnswer"];
                };
            };
            /** @description The request is wrong; `message` says what was expected */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The host or the origin is not the server's, or pulls are not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such namespace or model */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests at once; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug or a damaged library; the server's log says more */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Busy for a moment; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    ingest: {
        parameters: {
            query?: {
                namespace?: string;
                vectors?: string;
                dimension?: number;
                dedupe_threshold?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": components["schemas"]["Documents"];
                "application/json": components["schemas"]["Documents"];
                "application/jsonl": components["schemas"]["Documents"];
                "application/jsonlines": components["schemas"]["Documents"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestAnswer"];
                };
            };
            /** @description The request is wrong; `message` says what was expected */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The host or the origin is not the server's, or pulls are not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body came too slowly */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The cursor or the library belongs to another state, or the library changed meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The media type is not one of those above */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests at once; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug or a damaged library; the server's log says more */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Busy for a moment; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The disk is full */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteDocuments: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteAnswer"];
                };
            };
            /** @description The request is wrong; `message` says what was expected */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The host or the origin is not the server's, or pulls are not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such namespace or model */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests at once; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug or a damaged library; the server's log says more */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Busy for a moment; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    stats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsAnswer"];
                };
            };
            /** @description The request is wrong; `message` says what was expected */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The host or the origin is not the server's, or pulls are not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests at once; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug or a damaged library; the server's log says more */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthAnswer"];
                };
            };
            /** @description The request is wrong; `message` says what was expected */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The host or the origin is not the server's, or pulls are not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug or a damaged library; the server's log says more */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something is broken */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthAnswer"];
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The request is wrong; `message` says what was expected */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The host or the origin is not the server's, or pulls are not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug or a damaged library; the server's log says more */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listNamespaces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamespacesAnswer"];
                };
            };
            /** @description The request is wrong; `message` says what was expected */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The host or the origin is not the server's, or pulls are not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests at once; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug or a damaged library; the server's log says more */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    dropNamespace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The namespace */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DropAnswer"];
                };
            };
            /** @description The request is wrong; `message` says what was expected */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The host or the origin is not the server's, or pulls are not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such namespace or model */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests at once; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug or a damaged library; the server's log says more */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Busy for a moment; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    root: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The namespace */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RootAnswer"];
                };
            };
            /** @description The request is wrong; `message` says what was expected */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The host or the origin is not the server's, or pulls are not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such namespace or model */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests at once; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug or a damaged library; the server's log says more */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Busy for a moment; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    nodes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The namespace */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NodesRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodesAnswer"];
                };
            };
            /** @description The request is wrong; `message` says what was expected */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The host or the origin is not the server's, or pulls are not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such namespace or model */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests at once; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug or a damaged library; the server's log says more */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Busy for a moment; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    paths: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The namespace */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PathsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PathsAnswer"];
                };
            };
            /** @description The request is wrong; `message` says what was expected */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The host or the origin is not the server's, or pulls are not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such namespace or model */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests at once; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug or a damaged library; the server's log says more */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Busy for a moment; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    pack: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The namespace */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PackRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The request is wrong; `message` says what was expected */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The host or the origin is not the server's, or pulls are not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such namespace or model */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The cursor or the library belongs to another state, or the library changed meanwhile */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests at once; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug or a damaged library; the server's log says more */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Busy for a moment; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verifyReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The namespace */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Receipt"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifyAnswer"];
                };
            };
            /** @description The request is wrong; `message` says what was expected */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The host or the origin is not the server's, or pulls are not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such namespace or model */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests at once; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug or a damaged library; the server's log says more */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Busy for a moment; Retry-After says when to try again */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createEmbedding: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmbeddingsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbeddingsAnswer"];
                };
            };
            /** @description The request is wrong; `message` says what was expected */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The host or the origin is not the server's, or pulls are not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such namespace or model */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests at once; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug or a damaged library; the server's log says more */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsAnswer"];
                };
            };
            /** @description The request is wrong; `message` says what was expected */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing or wrong */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The host or the origin is not the server's, or pulls are not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests at once; Retry-After says when to try again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A bug or a damaged library; the server's log says more */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
