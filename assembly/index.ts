/** What the engine offers its host, in the order of the walk (SPEC §1.2). Exports only. */

// Known answers, asked at load, SPEC §1.4
export { probe } from "./arith/probe";
// Digest, SPEC §4
export { blake3 } from "./hash/blake3";
export { alloc, memory_mark, memory_release } from "./memory";
