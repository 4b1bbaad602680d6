import { SelfsameError } from "../errors/selfsame-error.ts";

/** Returns the error for something in NATS that this software did not write, or that was changed since. */
export function badClusterData(expected: string, got: string): SelfsameError {
  return new SelfsameError(
    "BAD_CLUSTER_DATA",
    `expected ${expected}, got ${got}`,
    "Something else wrote to the cluster's streams, or they were damaged: selfsame cluster verify says what is sound",
  );
}
