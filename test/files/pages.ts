/** Pages of our own writing, each with the text that a person reads there. */
export const PAGES: readonly { readonly source: string; readonly text: string }[] = [
  {
    source: "<!doctype html><html><head><title>Ties</title></head><body><p>Equal scores.</p></body></html>",
    text: "# Ties\n\nEqual scores.",
  },
  {
    source: "<title>Ties</title><h1>How ties are broken</h1><p>By <b>path</b>,\n then by <i>place</i>.</p>",
    text: "# How ties are broken\n\nBy path, then by place.",
  },
  {
    source:
      '<nav><a href="/">Home</a></nav><main id="m"><h1 class="t">Roots</h1><p style="color:red">One root.</p></main><footer>Imprint</footer>',
    text: "# Roots\n\nOne root.",
  },
  {
    source:
      "<h1>Entities</h1><p>&lt;b&gt; is bold &amp; &quot;strong&quot;; caf&eacute; &#8212; &#x2192;&nbsp;x</p>",
    text: '# Entities\n\n<b> is bold & "strong"; café — → x',
  },
  {
    source:
      "<h1>List</h1><p>Before</p><ul><li>one<li>two <em>and</em> more<li><p>three</p><p>still three</p></ul>",
    text: "# List\n\nBefore\n\n- one\n- two and more\n- three\n\n  still three",
  },
  {
    source: '<h1>Steps</h1><ol start="3"><li>a<ul><li>b</li></ul></li><li>c</li></ol><p>After</p>',
    text: "# Steps\n\n3. a\n   - b\n4. c\n\nAfter",
  },
  {
    source:
      "<h1>Table</h1><table><caption>Sizes</caption><thead><tr><th>Name<th>Bytes</thead><tr><td>id<td>16<tr><td>a|b<td><p>32</p><p>or 64</p></table>",
    text: "# Table\n\nSizes\n\n| Name | Bytes |\n| --- | --- |\n| id | 16 |\n| a\\|b | 32 or 64 |",
  },
  {
    source: '<h1>Layout</h1><table role="presentation"><tr><td><h2>Left</h2>text<td><p>right</p></table>',
    text: "# Layout\n\n## Left\n\ntext\n\nright",
  },
  {
    source:
      '<h1>Code</h1><pre><span class="k">if</span> (a &lt; b) {\n  <b>f</b>();\n}\n</pre><p>Done <code>f</code>.</p>',
    text: "# Code\n\n```\nif (a < b) {\n  f();\n}\n```\n\nDone f.",
  },
  {
    source: "<h1>Fences</h1><pre>```\ncode\n```</pre>",
    text: "# Fences\n\n````\n```\ncode\n```\n````",
  },
  {
    source:
      "<h1>Scripts</h1><script>let a = '<p>no</p>';</script><style>p { color: red }</style><noscript>none</noscript><template><p>hid</p></template><p>Yes</p>",
    text: "# Scripts\n\nYes",
  },
  {
    source:
      '<h1>Hidden</h1><p hidden>a</p><p style="display: none">b</p><span aria-hidden="true">c</span><p>Shown<a class="headerlink" href="#x">¶</a></p>',
    text: "# Hidden\n\nShown",
  },
  {
    source: "<h1>Lines</h1><p>one<br>two<br/>three</p><hr><p># no heading<br>--- </p>",
    text: "# Lines\n\none\ntwo\nthree\n\n\\# no heading\n\\---",
  },
  {
    source: "<h1>Quote</h1><blockquote><p>Said</p><p>twice</p></blockquote><p>After</p>",
    text: "# Quote\n\n> Said\n>\n> twice\n\nAfter",
  },
  {
    source:
      "<h1>Terms</h1><dl><dt>root</dt><dd>One digest.</dd><dt>canon</dt><dd><p>The rules.</p></dd></dl>",
    text: "# Terms\n\nroot\n\nOne digest.\n\ncanon\n\nThe rules.",
  },
  {
    source:
      '<h1>Note</h1><div class="note"><h3 class="title">Careful</h3><p>It bites.</p></div><p>Go on.</p>',
    text: "# Note\n\nCareful\n\nIt bites.\n\nGo on.",
  },
  {
    source: "<h1>Levels</h1><h2>Two</h2><p>a</p><h4>Four <small>small</small></h4>b<h2></h2>",
    text: "# Levels\n\n## Two\n\na\n\n#### Four small\n\nb",
  },
  {
    source:
      '<title>Comparison</title><div class="navheader"><a>Prev</a></div><div><h2>Comparison</h2><div class="toc"><ul><li>x</li></ul></div><p>Text.</p></div>',
    text: "## Comparison\n\nText.",
  },
  {
    source:
      '<h1>Form</h1><form><label>Name <input value="secret"></label><button>Send</button><select><option>one</select></form>',
    text: "# Form\n\nName",
  },
  {
    source:
      '<p dir="rtl" lang="he">שלום</p><p>soft&shy;hyphen, a&#0;b</p><!-- <p>comment</p> --><svg><text>no</text></svg>',
    text: "שלום\n\nsofthyphen, a\ufffdb",
  },
];
