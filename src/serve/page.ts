import type { z } from "zod";
import { STYLE } from "./page-style.ts";
import type { QueryAnswer, QueryResult } from "./query-schema.ts";
import type { namespacesAnswer } from "./schemas.ts";

/** What the page shows. */
export interface PageContents {
  readonly version: string;
  readonly namespaces: z.infer<typeof namespacesAnswer>["namespaces"];
  /** What was asked, for the form. */
  readonly asked: { readonly namespace: string; readonly query: string };
  /** The answer, or why there is none; null if nothing was asked. */
  readonly answer: QueryAnswer | { readonly error: string } | null;
  readonly hasMcp: boolean;
}

const NO_NAMESPACE = `<p class="soft">There is no namespace yet. Add documents:</p>
<p><code>curl -X POST --json '[{"path": "ties.md", "text": "Equal scores stand by path."}]' …/v1/hybrid/ingest</code></p>`;

/** The page at `/`: namespaces, a query form, and links. It is made here, without a script, and everything in it is escaped. */
export function pageOf({ version, namespaces, asked, answer, hasMcp }: PageContents): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${asked.query === "" ? "" : `${escaped(asked.query)} · `}Selfsame</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<h1>Selfsame</h1>
<nav aria-label="Links"><a href="/openapi.json">OpenAPI</a><a href="/healthz">health</a><a href="/v1/hybrid/stats">stats</a><a href="/metrics">metrics</a></nav>
<span class="soft">${escaped(version)}</span>
</header>
<form action="/" method="get" role="search">
<label>Namespace<select name="namespace">${optionsOf(namespaces, asked.namespace)}</select></label>
<label class="wide">Query<input name="query" type="search" required value="${escaped(asked.query)}" placeholder="Words, or a question" autocomplete="off"></label>
<button>Search</button>
</form>
${answer === null ? "" : answerOf(answer)}
<h2>Namespaces</h2>
${namespaces.length === 0 ? NO_NAMESPACE : tableOf(namespaces)}
${hasMcp ? `<p class="soft">Agents read a namespace at <code>/mcp?namespace=NAME</code>.</p>` : ""}
</main>
</body>
</html>
`;
}

function optionsOf(namespaces: PageContents["namespaces"], chosen: string): string {
  const names = namespaces.length === 0 ? ["default"] : namespaces.map(({ name }) => name);
  return names
    .map((name) => `<option${name === chosen ? " selected" : ""}>${escaped(name)}</option>`)
    .join("");
}

function tableOf(namespaces: PageContents["namespaces"]): string {
  const rows = namespaces.map(({ name, documents, ntotal, open, last_used, warnings }) => {
    const state = warnings.length === 0 ? (open ? "open" : "closed") : warnings.join("; ");
    return `<tr><td><a href="/v1/namespaces/${encodeURIComponent(name)}/root">${escaped(name)}</a></td>
<td class="n">${number(documents)}</td><td class="n">${number(ntotal)}</td>
<td${warnings.length === 0 ? "" : ' class="warn"'}>${escaped(state)}</td><td class="soft">${escaped(last_used ?? "–")}</td></tr>`;
  });
  return `<div class="scroll"><table>
<thead><tr><th>name</th><th class="n">documents</th><th class="n">chunks</th><th>state</th><th>last used</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>`;
}

function answerOf(answer: NonNullable<PageContents["answer"]>): string {
  if ("error" in answer) return `<p class="warn" role="alert">${escaped(answer.error)}</p>`;
  const { results, total_candidates, timings_ms, notices, warnings, receipt } = answer;
  return `<section aria-label="Results">
<p class="soft">${results.length} of ${total_candidates} candidates in ${timings_ms.total_ms.toFixed(1)} ms${
    receipt === null ? "" : `; receipt <code>${escaped(receipt.digest)}</code>`
  }</p>
${notices.map((notice) => `<p>${escaped(notice)}</p>`).join("")}
${warnings.map((warning) => `<p class="warn">${escaped(warning)}</p>`).join("")}
${results.length === 0 ? "<p>Nothing was found.</p>" : `<ol>${results.map(hitOf).join("\n")}</ol>`}
</section>`;
}

function hitOf(result: QueryResult): string {
  const { diagnostics } = result;
  const scores = [
    `score ${result.score.toFixed(4)}`,
    ...(typeof diagnostics?.bm25_score === "number" ? [`words ${diagnostics.bm25_score.toFixed(2)}`] : []),
    ...(typeof diagnostics?.dense_score === "number"
      ? [`meaning ${diagnostics.dense_score.toFixed(2)}`]
      : []),
    ...(typeof diagnostics?.splade_score === "number"
      ? [`terms ${diagnostics.splade_score.toPrecision(3)}`]
      : []),
  ];
  return `<li class="hit"><div class="where"><b>${escaped(result.chunk_id)}</b>${scores
    .map((each) => `<span>${each}</span>`)
    .join("")}</div>
<p class="text">${marked(result)}</p></li>`;
}

function marked({ text, provenance_offsets }: QueryResult): string {
  let at = 0;
  const parts = provenance_offsets.map(([start, end]) => {
    const part = `${escaped(text.slice(at, start))}<mark>${escaped(text.slice(start, end))}</mark>`;
    at = end;
    return part;
  });
  return parts.join("") + escaped(text.slice(at));
}

function number(value: number | null): string {
  return value === null ? "–" : String(value);
}

function escaped(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[character]!,
  );
}
