import { deviceFiles } from "../files/device-files.ts";
import { type Finding, ok, warning } from "./finding.ts";

/** Whether only its owner may read a library's file; nothing where a library is no file, or files have no such modes. */
export function checkAccess(library: string): Finding[] {
  const mode = library === ":memory:" ? null : (deviceFiles?.modeOf(library) ?? null);
  if (mode === null) return [];
  const shown = `mode ${mode.toString(8).padStart(4, "0")}`;
  if ((mode & 0o077) === 0) return [ok("access", `only its owner may read it (${shown})`)];
  return [
    warning("access", `others on this device may read or write it (${shown})`, `Run chmod 600 ${library}`),
  ];
}
