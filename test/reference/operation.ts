/** The operations by name and number: the list of SPEC §2.13, which assembly/arith/operation.ts holds too. */
import * as arith from "./arith.ts";
import { f32Erf, f32Exp } from "./functions.ts";

export interface Operation<Name extends string = OperationName> {
  readonly name: Name;
  readonly operands: 1 | 2;
  /** On u32 words; with one operand, the second is ignored. */
  readonly apply: (a: number, b: number) => number;
}

/** Also the name of the engine's export. */
export type OperationName = (typeof LIST)[number]["name"];

function unary<Name extends string>(name: Name, apply: (a: number) => number): Operation<Name> {
  return { name, operands: 1, apply };
}
function binary<Name extends string>(name: Name, apply: (a: number, b: number) => number): Operation<Name> {
  return { name, operands: 2, apply };
}

const LIST = [
  binary("f32_add", arith.f32Add),
  binary("f32_sub", arith.f32Sub),
  binary("f32_mul", arith.f32Mul),
  binary("f32_div", arith.f32Div),
  unary("f32_sqrt", arith.f32Sqrt),
  unary("f32_neg", arith.f32Neg),
  unary("f32_abs", arith.f32Abs),
  binary("f32_min", arith.f32Min),
  binary("f32_max", arith.f32Max),
  binary("f32_eq", arith.f32Eq),
  binary("f32_lt", arith.f32Lt),
  binary("f32_le", arith.f32Le),
  unary("f32_from_i32", arith.f32FromI32),
  unary("f32_from_u32", arith.f32FromU32),
  unary("f32_to_i32_near_even", arith.f32ToI32NearEven),
  unary("f32_to_i32_trunc", arith.f32ToI32Trunc),
  unary("f32_from_f16", arith.f32FromF16),
  unary("f32_exp", f32Exp),
  unary("f32_erf", f32Erf),
];
export const OPERATIONS: readonly Operation[] = LIST;
