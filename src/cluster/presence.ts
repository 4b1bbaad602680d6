import { badClusterData } from "./bad-cluster-data.ts";
import { type Connection, PRESENCE_MS } from "./connection.ts";

/** An entry of who is there. */
export interface Present {
  readonly key: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

const FACTS_BYTES_MAX = 64 << 10;

/** Says that somebody is there, again and again, until it is stopped. Then the entry is removed. */
export function announce(
  { presence }: Connection,
  key: string,
  facts: () => object,
): { readonly stop: () => Promise<void>; readonly now: () => Promise<void> } {
  const say = async () => {
    await presence.put(key, JSON.stringify(facts())).catch(() => undefined); // it is said again soon
  };
  const timer = setInterval(() => void say(), PRESENCE_MS / 3);
  void say();
  return {
    now: say,
    stop: async () => {
      clearInterval(timer);
      await presence.delete(key).catch(() => undefined); // it vanishes by itself
    },
  };
}

/** Returns who is there, of one kind (`worker`, `server`), by key. */
export async function whoIsThere({ presence }: Connection, kind: string): Promise<Present[]> {
  const there: Present[] = [];
  for await (const key of await presence.keys(`${kind}.>`)) {
    const entry = await presence.get(key);
    if (entry === null || entry.operation !== "PUT") continue;
    there.push({ key: key.slice(kind.length + 1), facts: factsOf(key, entry.value) });
  }
  return there.sort((a, b) => (a.key < b.key ? -1 : 1));
}

function factsOf(key: string, bytes: Uint8Array): Record<string, unknown> {
  if (bytes.length > FACTS_BYTES_MAX)
    throw badClusterData(`a short entry of ${key}`, `${bytes.length} bytes`);
  try {
    const facts: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof facts === "object" && facts !== null) return facts as Record<string, unknown>;
  } catch {}
  return {};
}
