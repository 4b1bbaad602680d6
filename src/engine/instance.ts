/**
 * An instance of a compiled module, at once where the host allows it: the main thread of some browsers refuses all but
 * small modules. Asynchronously it can take long: while nothing else is to be waited for, Node finishes all work of its
 * background threads first, and those may be optimising code that has just been run (0.2 s of SQLite's, measured).
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
