import { memory_mark, memory_release } from "../memory";
import { config_clear, config_set } from "./config";
import { head_create } from "./head";
import { state_create } from "./state";
import { weights_create } from "./weights";

/** Allocates memory for one model of the given shape. Returns 0, CONFIG_REFUSED or NO_MEMORY. SPEC §8 */
export function model_create(
  hidden: i32,
  layers: i32,
  heads: i32,
  intermediate: i32,
  vocabulary: i32,
  positions: i32,
  limit: i32,
  eps_bits: u32,
  tables_f16: bool,
  with_head: bool,
): i32 {
  const mark = memory_mark();
  let code = config_set(
    hidden,
    layers,
    heads,
    intermediate,
    vocabulary,
    positions,
    limit,
    eps_bits,
    with_head,
  );
  if (code != 0) return code;
  code = weights_create(tables_f16);
  if (code == 0 && with_head) code = head_create();
  if (code == 0) code = state_create();
  if (code != 0) {
    config_clear();
    memory_release(mark);
  }
  return code;
}
