#!/usr/bin/env node
// The command line. Compiled code is cached between runs if Node supports it (22.1 and later), so everything else is
// loaded after that.
import nodeModule from "node:module";

(nodeModule as { enableCompileCache?: () => void }).enableCompileCache?.();
const { run } = await import("./program.ts");
await run(process.argv.slice(2));
