// `import.meta.env.MODE`, by which a test knows whether it runs its long counts.
/// <reference types="vite/types/importMeta.d.ts" />
