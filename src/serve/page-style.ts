import { createHash } from "node:crypto";

/** The page's style, inside the page. The policy names its digest, so that nothing else can style it. */
export const STYLE = `
:root { color-scheme: light dark; --ground: #fff; --panel: #f6f5f1; --line: #dcd9d0; --text: #1c1b18; --soft: #5d5a52;
  --accent: #0b6e4f; --mark: #fff0a8; --warn: #8a4b00 }
@media (prefers-color-scheme: dark) { :root { --ground: #171613; --panel: #211f1b; --line: #3a3730; --text: #eceae4;
  --soft: #a9a598; --accent: #5cc9a0; --mark: #5a4a00; --warn: #f0b060 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1.5rem; margin-bottom: 1.25rem }
h1 { font-size: 1.5rem; letter-spacing: -.02em; margin: 0 }
h2 { font-size: 1.05rem; margin: 2rem 0 .5rem }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem }
a { color: var(--accent) }
form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; background: var(--panel);
  border: 1px solid var(--line); border-radius: 10px; padding: 1rem }
label { display: grid; gap: .25rem; font-size: .85rem; color: var(--soft) }
label.wide { flex: 1 1 20rem }
input, select, button { font: inherit; color: var(--text); background: var(--ground); border: 1px solid var(--line);
  border-radius: 7px; padding: .5rem .65rem; min-width: 0; width: 100% }
button { width: auto; background: var(--accent); border-color: var(--accent); color: var(--ground); font-weight: 600;
  cursor: pointer }
:is(input, select, button, a):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { text-align: left; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
th { font-size: .8rem; font-weight: 600; color: var(--soft) }
td.n, th.n { text-align: right }
.scroll { overflow-x: auto }
ol { list-style: none; margin: 0; padding: 0 }
li.hit { border-top: 1px solid var(--line); padding: .9rem 0 }
.where { display: flex; flex-wrap: wrap; gap: 0 .75rem; font-size: .85rem; color: var(--soft) }
.where b { color: var(--text); font-weight: 600; overflow-wrap: anywhere }
.text { margin: .3rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere }
mark { background: var(--mark); color: inherit; border-radius: 3px; padding: 0 1px }
.soft { color: var(--soft) } .warn { color: var(--warn) }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere }
`;

/** What the page may load: its own style, and nothing else. It has no script. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");
