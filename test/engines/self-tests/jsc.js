// Every self test of an engine's file, by JavaScriptCore's shell: `jsc jsc.js -- <file>` prints a name and a word a line.
// biome-ignore lint/complexity/noArguments: it is how the shell hands over what stands behind `--`
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(read(arguments[0], "binary")));
for (const name of ["self_test", "self_test_kernels", "self_test_forward", "self_test_graph"]) {
  print(name, (exports[name]() >>> 0).toString(16).padStart(8, "0"));
}
