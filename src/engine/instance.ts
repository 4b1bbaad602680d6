/**
 * Instantiates a compiled module, synchronously where the host allows it: the main thread of some browsers refuses all
 * but small modules. Asynchronous instantiation can be slow: when nothing else is pending, Node first finishes all work
 * of its background threads, and those may be optimising code that has just run (0.2 s for SQLite, measured).
 */
export async function instanceOf(
  module: WebAssembly.Module,
  imports: WebAssembly.Imports,
): Promise<WebAssembly.Instance> {
  try {
    return new WebAssembly.Instance(module, imports);
  } catch {
    return WebAssembly.instantiate(module, imports);
  }
}
