import { open } from "selfsame";

/** A device: its notes, and a library that finds them. */
export class Device {
  #notes = new Map();

  static async start() {
    const device = new Device();
    device.library = await open(":memory:");
    return device;
  }

  /** Keeps a note `{ path, text, modifiedAt }`, in place of an older one with that path. */
  async keep(note) {
    this.#notes.set(note.path, note);
    await this.library.add([note]);
  }

  /** What this device answers when another one asks. The first three are all that a comparison needs. */
  answer = {
    root: () => this.library.root(),
    nodes: async (prefixes) =>
      (await this.library.nodes(prefixes)).map((node) => Buffer.from(node).toString("base64")),
    paths: (ids) => this.library.paths(ids),
    note: async (path) => this.#notes.get(path),
    keep: (note) => this.keep(note),
  };

  /** Exchanges what differs with the device behind `ask(question, argument)`, and nothing else; the newer note wins. */
  async sync(ask) {
    const there = {
      root: () => ask("root"),
      nodes: async (prefixes) =>
        (await ask("nodes", prefixes)).map((node) => new Uint8Array(Buffer.from(node, "base64"))),
      paths: (ids) => ask("paths", ids),
    };
    for (const { path, change } of await this.library.diff(there)) {
      const ours = change === "only there" ? undefined : this.#notes.get(path);
      const theirs = change === "only here" ? undefined : await ask("note", path);
      if (theirs === undefined || ours?.modifiedAt > theirs.modifiedAt) await ask("keep", ours);
      else await this.keep(theirs);
    }
  }
}
