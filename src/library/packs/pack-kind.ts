import { SelfsameError } from "../../errors/selfsame-error.ts";
import type { PackHeader } from "../../packs/pack-header.ts";
import type { ImportPackOptions } from "../../packs/pack-options.ts";
import { CANON_NAMES, type CanonParts } from "../canon.ts";
import type { LibraryParts } from "../library-parts.ts";

/** These parts of the canon decide answers, but neither documents nor vectors. */
const FREE: readonly (keyof CanonParts)[] = ["index", "segment", "sqlite", "dedupe", "namespace"];

/**
 * Checks that a pack is of this kind of library, and that it can be imported in this way. SPEC §27.5
 *
 * @throws {SelfsameError} CANON_MISMATCH, NAMESPACE_MISMATCH or BAD_ARGUMENT
 */
export function checkKind(
  { database, state, identity }: LibraryParts,
  { canon, contents, dimension, prefixes, root }: PackHeader,
  { as, replace = false, choose, expectRoot }: ImportPackOptions,
): void {
  const own = state.canon;
  const different = CANON_NAMES.filter((name) => !FREE.includes(name) && canon[name] !== own[name]);
  if (different.length > 0 || dimension !== (state.dimension ?? identity.hidden))
    throw new SelfsameError(
      "CANON_MISMATCH",
      `expected a pack for ${database.name}, got one of another ${different.join(", ") || "dimension"}`,
      "Import it into a library that was made with the same model and settings",
      { details: { parts: different.join(", ") } },
    );
  if (as !== undefined && as !== own.namespace)
    throw mismatch(
      `expected as to be the namespace of this library, ${print(own.namespace)}, got ${print(as)}`,
    );
  if (as === undefined && canon["namespace"] !== own.namespace)
    throw mismatch(
      `expected a pack of the namespace ${print(own.namespace)}, got one of ${print(canon["namespace"] ?? "")}`,
    );
  const isRenamed = canon["namespace"] !== own.namespace;
  const isWhole = prefixes !== null && (!isRenamed || prefixes[0] === "");
  if (replace && (contents === "vectors" || !isWhole || choose !== undefined))
    throw new SelfsameError(
      "BAD_ARGUMENT",
      "expected a pack of whole prefixes to replace by, got a part of one",
      "Import it without replace (--replace), which merges",
    );
  if (expectRoot !== undefined && (expectRoot !== root || contents === "vectors"))
    throw new SelfsameError(
      "BAD_REMOTE",
      `expected a pack with the root ${expectRoot}, got ${root}`,
      "The other library may have changed: ask for its root again",
    );
}

function mismatch(reason: string): SelfsameError {
  return new SelfsameError(
    "NAMESPACE_MISMATCH",
    reason,
    "With as (--as NAME), naming this library's namespace, the ids are derived again",
  );
}

function print(namespace: string): string {
  return JSON.stringify(namespace.slice(0, 120));
}
