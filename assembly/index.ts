/** What the engine offers its host, in the order of the walk (SPEC §1.2). Exports only. */
export { alloc, memory_mark, memory_release } from "./memory";
