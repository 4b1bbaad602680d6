/** What goes wrong around a command: files, permissions, terminals, pipes, signals. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { exitOf, MAIN, Place, until } from "./run.ts";

/** A user who owns nothing; only root can become it, and it may not reach the folder that the command is in. */
const NOBODY = { uid: 65534, gid: 65534 };
const canBeNobody =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, [MAIN, "--version"], { ...NOBODY, cwd: tmpdir() }).status === 0;
process.umask(0o022); // it may read what is made here

const ESCAPES = "bad \u001b[31mred\u001b]0;title\u0007 \u009b2J\u007f\u202e merkle";
const place = new Place({
  "docs/ties.md": "# Ties\n\nEqual scores stand by path.\n",
  "docs/evil.md": `# Evil \u001b[2J\n\n${ESCAPES}\n`,
  "docs/\u001b[31mred.md": "a name that paints",
});
afterAll(() => place.remove());
const indexed = place.json("index", "docs", "--model", "tiny");

describe("files", () => {
  it("paths that are not there, or out of the root, make no library", () => {
    const empty = new Place({ "a.md": "a" });
    const missing = empty.run("index", "nosuch");
    expect([missing.status, missing.stderr.includes("FILE_MISSING")]).toEqual([1, true]);
    const outside = empty.run("index", place.path("docs"));
    expect([outside.status, outside.stderr.includes("PATH_OUTSIDE_ROOT")]).toEqual([1, true]);
    const refused = [
      ["--include", "["],
      ["--exclude", "{a"],
      ["--model", "nope"],
      ["--db", ""],
    ];
    for (const flags of refused) {
      for (const command of ["index", "watch"]) {
        const { status, stderr } = empty.run(command, "a.md", ...flags);
        expect([flags, status, stderr]).toEqual([
          flags,
          2,
          expect.stringContaining(`expected ${flags[0]} to`),
        ]);
      }
    }
    // Whether there is a model at an address shows only when the library is opened.
    const away = empty.run("index", "a.md", "--model", "http://127.0.0.1:1/x.json");
    expect([away.status, away.stderr]).toEqual([1, expect.stringMatching(/FILE_MISSING.*the network\n$/)]);
    expect(away.stderr).not.toContain("connect-src");
    expect(readdirSync(empty.folder)).toEqual(["a.md"]);
    empty.remove();
  });

  it("reading makes no library of an empty file; indexing may", () => {
    place.write("empty.db", "");
    for (const command of [
      ["search", "x"],
      ["root"],
      ["stats"],
      ["doctor"],
      ["bench"],
      ["verify-receipt", "/dev/null"],
    ]) {
      const { status, stdout, stderr } = place.run(...command, "--db", "empty.db");
      expect([command, status]).toEqual([command, 1]);
      expect(stdout + stderr).toMatch(/FILE_MISSING: expected a library at .*empty\.db, got an empty file/);
      expect(statSync(place.path("empty.db")).size).toBe(0);
    }
    expect(place.json("index", "docs", "--db", "empty.db", "--model", "tiny").added).toBe(3);
  });

  it("says so where no file was found", () => {
    spawnSync("mkfifo", [place.path("fifo")]);
    for (const args of [["docs", "--include", "nomatch/**"], ["fifo"]]) {
      const { status, stdout } = place.run("index", ...args, "--db", "none.db", "--model", "tiny");
      expect([status, stdout.split("\n")[0]]).toEqual([
        0,
        expect.stringMatching(/^No files to index were found/),
      ]);
    }
    rmSync(place.path("fifo"));
  });

  it("--db on a file that is no library changes nothing in it, and nobody is told to delete it", () => {
    const foreign = {
      "notes.txt": Buffer.from("my notes\n"),
      "long.txt": Buffer.from("a long text, and no library\n".repeat(5000)),
      "half.db": readFileSync(place.path(".selfsame/library.db")).subarray(0, 5000),
    };
    for (const [name, bytes] of Object.entries(foreign)) {
      place.write(name, bytes);
      for (const command of [["index", "docs"], ["index", "docs", "--force"], ["search", "x"], ["stats"]]) {
        const { status, stdout, stderr } = place.run(...command, "--db", name);
        expect([name, command, status, stdout]).toEqual([name, command, 1, ""]);
        expect(stderr).toMatch(/^selfsame: DATABASE_/);
        if (name.endsWith(".txt"))
          expect(stderr).toMatch(/expected \S+\.txt to be a Selfsame library, got another kind of file/);
        expect(stderr).not.toMatch(/delete/i);
        expect(readFileSync(place.path(name)).equals(bytes)).toBe(true);
      }
    }
    for (const command of [
      ["index", "docs"],
      ["search", "x"],
    ])
      expect(place.run(...command, "--db", "docs").stderr).toMatch(
        /DATABASE_CANNOT_OPEN: expected a file at .*docs, got a folder\. Name the library's file/,
      );
  });

  it("a library that is found and is a link, or in a folder that is one, is refused; one that is named is not", () => {
    const real = new Place({ "a.md": "alpha" });
    real.json("index", "a.md", "--model", "tiny");
    for (const kind of ["folder", "file"]) {
      const linked = new Place({ "a.md": "alpha" });
      if (kind === "folder") symlinkSync(real.path(".selfsame"), linked.path(".selfsame"));
      else {
        mkdirSync(linked.path(".selfsame"));
        symlinkSync(real.path(".selfsame/library.db"), linked.path(".selfsame/library.db"));
      }
      for (const command of [["index", "a.md"], ["search", "x"], ["stats"], ["compact"]]) {
        const { status, stderr } = linked.run(...command);
        expect([kind, command, status, stderr]).toEqual([
          kind,
          command,
          1,
          expect.stringMatching(/DATABASE_CANNOT_OPEN: .*got a symbolic link .*--db/),
        ]);
      }
      expect(linked.json("stats", "--db", ".selfsame/library.db")).toMatchObject({ documents: 1 });
      linked.remove();
    }
    real.remove();
  });

  it("compact tells what it did, and the library is whole", () => {
    const small = new Place({ "a.md": "alpha" });
    const { root } = small.json("index", "a.md", "--model", "tiny") as { root: string };
    expect(small.json("compact")).toMatchObject({ embeddingsDropped: 0 });
    expect(small.run("compact").stdout).toMatch(/MB before, .* MB now; 0 unused vectors dropped\n$/);
    expect(small.run("root").stdout).toBe(`${root}\n`);
    small.remove();
  });

  it("--db on a name that leads nowhere has a way out", () => {
    symlinkSync("loop", place.path("loop"));
    for (const [db, reason] of [
      ["loop", "ELOOP"],
      ["x".repeat(300), "ENAMETOOLONG"],
    ] as const) {
      for (const command of [["stats"], ["search", "x"], ["index", "docs", "--root", "."]]) {
        const { status, stdout, stderr } = place.run(...command, "--db", db);
        expect([command, status, stdout]).toEqual([command, 1, ""]);
        expect(stderr).toMatch(
          new RegExp(`^selfsame: DATABASE_CANNOT_OPEN: expected a library at .*${reason}.*--db <file>\n$`),
        );
      }
    }
    rmSync(place.path("loop"));
    expect(place.run("stats", "--db", "nowhere/at/all.db").stderr).toMatch(
      /FILE_MISSING: expected a library at .*all\.db, got none: there is no folder \S+nowhere\/at\. Check/,
    );
  });

  it("a search without the model's weights warns on standard error, also beside a receipt", () => {
    const models = join(import.meta.dirname, "../../models");
    cpSync(join(models, "tiny.json"), place.path("models/tiny.json"));
    const isKept = (file: string) => !file.endsWith("model.safetensors");
    cpSync(join(models, "tiny"), place.path("models/tiny"), { recursive: true, filter: isKept });
    const model = pathToFileURL(place.path("models/tiny.json")).href;
    const warning = expect.stringMatching(/^warning: the query could not be embedded, so .*\n$/);
    const plain = place.run("search", "ties", "--model", model);
    expect([plain.status, plain.stderr]).toEqual([0, warning]);
    const { status, stdout, stderr } = place.run("search", "ties", "--model", model, "--receipt", "-");
    expect([status, stderr, Object.keys(JSON.parse(stdout))]).toEqual([
      0,
      warning,
      expect.arrayContaining(["digest", "root"]),
    ]);
  });

  it.skipIf(!canBeNobody)("a folder and a library that may not be written", () => {
    const closed = mkdtempSync(join(tmpdir(), "selfsame-closed-"));
    mkdirSync(join(closed, "docs"));
    copyFileSync(place.path("docs/ties.md"), join(closed, "docs/ties.md"));
    chmodSync(closed, 0o755);
    const nobody = { cwd: closed, ...NOBODY };
    const refused = place.runWith(nobody, "index", "docs", "--model", "tiny");
    expect([refused.status, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toMatch(/DATABASE_CANNOT_OPEN: .*EACCES.*--db <file>/);
    place.runWith({ cwd: closed }, "index", "docs", "--model", "tiny");
    // A new library is its owner's alone.
    chmodSync(join(closed, ".selfsame"), 0o755);
    chmodSync(join(closed, ".selfsame/library.db"), 0o644);
    const read = place.runWith(nobody, "search", "equal", "--json");
    expect([read.status, JSON.parse(read.stdout).results.length]).toEqual([0, 1]);
    chmodSync(join(closed, ".selfsame"), 0o700);
    for (const command of [["stats"], ["index", "docs"]])
      expect(place.runWith(nobody, ...command).stderr).toMatch(
        /^selfsame: DATABASE_CANNOT_OPEN: .*EACCES.*--db <file>\n$/,
      );
    chmodSync(join(closed, ".selfsame"), 0o755);
    const written = place.runWith(nobody, "index", "docs", "--force");
    expect(written.stderr).toMatch(/DATABASE_READONLY: .*Allow writing/);
    writeFileSync(join(closed, "docs/new.md"), "new");
    const watched = place.runWith({ ...nobody, timeout: 300_000 }, "watch", "docs");
    expect([watched.status, watched.stderr]).toEqual([
      1,
      expect.stringMatching(/^selfsame: DATABASE_READONLY/),
    ]);
    rmSync(closed, { recursive: true });
  });
});

describe("terminals", () => {
  it("what documents and file names hold cannot drive one, and stays exact in --json", () => {
    for (const args of [
      ["search", "merkle"],
      ["search", "merkle", "--explain"],
      ["search", "paints"],
      ["tokenize", ESCAPES, "--model", "tiny"],
      ["index", `\u001b[31m`],
    ]) {
      const { stdout, stderr } = place.run(...args);
      expect(stdout + stderr).toMatch(/␛\[31m|␛|tokens?/);
      expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]/u);
      expect(stdout + stderr).not.toContain("\u202e");
    }
    const { stdout } = place.run("search", "merkle", "--json");
    expect(stdout.slice(0, -1)).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(JSON.parse(stdout).results[0].content).toContain(ESCAPES);
    const paths = place.json("search", "paints").results.map(({ path }: { path: string }) => path);
    expect(paths).toContain("docs/\u001b[31mred.md");
  });

  const hasScript = spawnSync("script", ["--version"]).status === 0;
  const onTerminal = (command: string, env: NodeJS.ProcessEnv = {}, before = "") => {
    const line = `${before} "${process.execPath}" "${MAIN}" ${command}`;
    const full = { ...process.env, TERM: "xterm", ...env };
    const options = { cwd: place.folder, encoding: "utf8", env: full } as const;
    return spawnSync("script", ["-qec", line, "/dev/null"], options).stdout;
  };

  it.skipIf(!hasScript)("colours and a bar on a terminal, none against NO_COLOR or on a dumb one", () => {
    const force = "index docs --force";
    expect(onTerminal("search ties")).toContain("\u001b[1m");
    expect(onTerminal(force)).toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] [█░]{24} (reading 3 files|\d of 3 chunks)/);
    expect(onTerminal("search ties", { NO_COLOR: "1" })).not.toContain("\u001b[");
    expect(onTerminal("search ties", { NO_COLOR: "" })).toContain("\u001b[1m");
    expect(onTerminal("search ties", { TERM: "dumb" })).not.toContain("\u001b[");
    expect(onTerminal(force, { TERM: "dumb" })).not.toContain("\u001b[");
    expect(JSON.parse(onTerminal("search ties --json")).results).toHaveLength(3);
  });

  it.skipIf(!hasScript)("a snippet takes two lines of the terminal, whatever its width", () => {
    place.write("long/long.md", "A pangolin walks. ".repeat(60));
    place.json("index", "long", "--db", "long.db", "--model", "tiny");
    for (const columns of [24, 36]) {
      const shown = onTerminal("search pangolin --db long.db", { NO_COLOR: "1" }, `stty cols ${columns};`);
      const snippet = /^ {3}(.*)$/m.exec(shown)![1]!.trimEnd();
      expect(snippet.length + 3).toBeGreaterThan(2 * columns - 20);
      expect(snippet.length + 3).toBeLessThanOrEqual(2 * columns);
    }
  });

  it("in a pipe neither, unless FORCE_COLOR asks for colours", () => {
    for (const args of [
      ["search", "ties"],
      ["stats"],
      ["index", "docs", "--force"],
      ["embed", "x", "--model", "tiny"],
    ]) {
      const { stdout, stderr } = place.run(...args);
      expect(stdout + stderr).not.toContain("\u001b");
      expect(stderr).toBe("");
    }
    expect(place.runWith({ env: { FORCE_COLOR: "1" } }, "search", "ties").stdout).toContain("\u001b[1m");
    expect(place.runWith({ env: { FORCE_COLOR: "0" } }, "search", "ties").stdout).not.toContain("\u001b");
  });
});

describe("a closed pipe is no failure", () => {
  const closing = (command: string) =>
    `"${process.execPath}" "${MAIN}" ${command} | head -c 1 >/dev/null; exit \${PIPESTATUS[0]}`;

  it.each([
    "--help",
    "--version",
    "search --help",
    "search ties",
    "search ties --json",
    "search ties --explain",
    "index docs",
    "index docs --force --json",
    "root",
    "stats",
    "stats --json",
    "diff .selfsame/library.db .selfsame/library.db",
    "embed x --model tiny --json",
    "tokenize 'a b c' --model tiny",
  ])("%s", (command) => {
    const options = { cwd: place.folder, encoding: "utf8" } as const;
    const { status, stderr } = spawnSync("bash", ["-c", closing(command)], options);
    expect([status, stderr]).toEqual([0, ""]);
  });

  it.each(["watch docs", "watch docs --json"])("%s", async (command) => {
    const busy = new Place({ "docs/a.md": "a" });
    const child = spawn("bash", ["-c", closing(`${command} --model tiny`)], { cwd: busy.folder });
    let stderr = "";
    child.stderr.on("data", (piece) => {
      stderr += piece;
    });
    // Only one that has something to say learns that nobody reads any more.
    let changes = 0;
    const changing = setInterval(() => busy.write("docs/a.md", `change ${++changes}`), 200);
    const [status] = await once(child, "close");
    clearInterval(changing);
    expect([status, stderr]).toEqual([0, ""]);
    busy.remove();
  });
});

it.skipIf(!existsSync("/dev/full"))("an output that takes no more is one line of failure", () => {
  for (const command of ["search ties", "search ties --json", "stats", "--help"]) {
    const script = `"${process.execPath}" "${MAIN}" ${command} >/dev/full`;
    const { status, stderr } = spawnSync("bash", ["-c", script], { cwd: place.folder, encoding: "utf8" });
    expect([command, status, stderr]).toEqual([
      command,
      1,
      expect.stringMatching(/^selfsame: the output could not be written: ENOSPC.*\n$/),
    ]);
  }
});

describe("Ctrl-C", () => {
  const DOCUMENTS = 600;
  const large = new Place(
    Object.fromEntries(
      Array.from({ length: DOCUMENTS }, (_, i) => [`docs/${i}.txt`, `note ${i} on equal scores and ties`]),
    ),
  );
  const file = large.path(".selfsame/library.db");
  afterAll(() => large.remove());

  it("in the middle of indexing: 130, a whole library, and the same command goes on", async () => {
    const child = large.start("index", "docs");
    let stderr = "";
    child.stderr!.on("data", (piece) => {
      stderr += piece;
    });
    const exit = exitOf(child);
    await until(() => existsSync(file) && statSync(file).size > 220_000); // an empty one has 160,000: the first vectors are kept
    child.kill("SIGINT");
    expect(await exit).toBe(130);
    // Work of more than some seconds is told of before.
    expect(stderr).toMatch(
      /^(.* of 600 chunks.*\n)*selfsame: interrupted; finished work is kept, and the same command resumes from there\n$/,
    );
    const { documents } = large.json("stats");
    expect(documents).toBeLessThan(DOCUMENTS);
    const rest = large.json("index", "docs");
    expect(rest.added).toBe(DOCUMENTS - documents);
    expect(rest.embedded).toBeLessThan(DOCUMENTS);
    expect(large.json("stats").documents).toBe(DOCUMENTS);
  });

  it("in the middle of making a library anew: 130, and it is what it was", async () => {
    large.json("index", "docs", "--db", "small.db", "--root", ".", "--model", "tiny");
    const before = large.json("stats", "--db", "small.db");
    const child = large.start(
      ...["index", "docs", "--db", "small.db", "--root", ".", "--force", "--model", "all-MiniLM-L6-v2"],
    );
    const exit = exitOf(child);
    const size = statSync(large.path("small.db")).size;
    await until(() => statSync(large.path("small.db")).size > size); // the first vectors are kept
    child.kill("SIGTERM");
    expect(await exit).toBe(143);
    const { embeddings, ...after } = large.json("stats", "--db", "small.db");
    expect(after).toEqual(expect.objectContaining({ model: "tiny", canon: before.canon, root: before.root }));
    expect(embeddings).toBeGreaterThan(before.embeddings); // what was embedded for it is not lost
    expect(large.json("search", "--db", "small.db", "ties", "--top-k", "3").results).toHaveLength(3);
  });
});

it("the library of all this is what it was", () => {
  expect(place.json("stats").root).toBe(indexed.root);
});
