import { deviceFiles } from "../files/device-files.ts";
import { type Finding, ok, warning } from "./finding.ts";

/** Checks whether only its owner may read a library's file. */
export function checkAccess(library: string): Finding {
  if (library === ":memory:") return ok("access", "it exists only in memory");
  const mode = deviceFiles?.modeOf(library) ?? null;
  if (mode === null) return ok("access", "not checked: files have no modes here");
  const shown = `mode ${mode.toString(8).padStart(4, "0")}`;
  if ((mode & 0o077) === 0) return ok("access", `only its owner may read it (${shown})`);
  return warning(
    "access",
    `others on this device may read or write it (${shown})`,
    `Run chmod 600 ${library}`,
  );
}
