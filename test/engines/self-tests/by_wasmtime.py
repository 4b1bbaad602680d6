"""Every self test of an engine's file, by Wasmtime: `python3 by_wasmtime.py <file>` prints a name and a word a line."""

import sys

from wasmtime import Instance, Module, Store

store = Store()
exports = Instance(store, Module.from_file(store.engine, sys.argv[1]), []).exports(store)
for name in ["self_test", "self_test_kernels", "self_test_forward", "self_test_graph"]:
    print(name, format(exports[name](store) & 0xFFFFFFFF, "08x"))
