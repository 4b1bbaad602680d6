import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder that goes away after the test file. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "selfsame-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
