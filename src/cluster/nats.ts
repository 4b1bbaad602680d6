import { SelfsameError } from "../errors/selfsame-error.ts";

/** The packages that a cluster needs beside this one, as its peer dependencies name them. */
export const NATS_PACKAGES = [
  "@nats-io/transport-node",
  "@nats-io/jetstream",
  "@nats-io/kv",
  "@nats-io/obj",
] as const;

type Loaded = {
  readonly core: typeof import("@nats-io/transport-node");
  readonly jetstream: typeof import("@nats-io/jetstream");
  readonly kv: typeof import("@nats-io/kv");
  readonly obj: typeof import("@nats-io/obj");
};

/** Loads the packages of NATS. They are optional: nobody who has no cluster needs to install them. */
export async function loadNats(): Promise<Loaded> {
  const [core, jetstream, kv, obj] = await Promise.all([
    loaded(() => import("@nats-io/transport-node")),
    loaded(() => import("@nats-io/jetstream")),
    loaded(() => import("@nats-io/kv")),
    loaded(() => import("@nats-io/obj")),
  ]);
  return { core, jetstream, kv, obj };
}

/** Runs an import. @throws {SelfsameError} PACKAGE_MISSING, with what to install */
export async function loaded<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw cause;
    const missing = /'(@nats-io\/[\w-]+)'/.exec(message)?.[1] ?? "a package of NATS";
    throw new SelfsameError(
      "PACKAGE_MISSING",
      `expected ${missing}, which a cluster needs, got no such package`,
      `Install it: npm install ${NATS_PACKAGES.join(" ")}`,
      { cause, details: { package: missing } },
    );
  }
}
