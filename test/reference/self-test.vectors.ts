/** Vectors of the self tests beyond arithmetic, whose digest is in test-vectors/arith.json. */
import { selfTestForward } from "./self-test-forward.ts";
import { selfTestGraph } from "./self-test-graph.ts";
import { selfTestKernels } from "./self-test-kernels.ts";

const hex = (bits: number): string => bits.toString(16).padStart(8, "0");

export function generate() {
  return {
    _comment:
      "Exports without arguments and the word that each returns, as 8 hexadecimal digits: the digest of all its results.",
    spec: "SPEC §7.8, §9.5 and §10.9",
    parameters: {},
    cases: [
      { export: "self_test_kernels", out: hex(selfTestKernels()) },
      { export: "self_test_forward", out: hex(selfTestForward()) },
      { export: "self_test_graph", out: hex(selfTestGraph()) },
    ],
  };
}
