/**
 * What a build computes on a device with a known fault: the built module, its float instructions replaced by calls of
 * functions that err as such devices do. The result is a real module and goes through the same loader.
 */
import binaryen from "binaryen";

export type Kind = "f32" | "f32x4";

const ARITHMETIC = ["add", "sub", "mul", "div"];

/** Results below the smallest normal number become zeros, as f32x4 does on 32-bit ARM. */
export function flushingResults(wasm: Uint8Array, kind: Kind): Uint8Array<ArrayBuffer> {
  return rewritten(wasm, (text) =>
    withFlushedArithmetic(text, kind, (op, a, b) => call("flush", kind, `(${op} ${a} ${b})`)),
  );
}

/** Operands below the smallest normal number are read as zeros. */
export function flushingOperands(wasm: Uint8Array, kind: Kind): Uint8Array<ArrayBuffer> {
  return rewritten(wasm, (text) =>
    withFlushedArithmetic(
      text,
      kind,
      (op, a, b) => `(${op} ${call("flush", kind, a)} ${call("flush", kind, b)})`,
    ),
  );
}

/** A product that is added to something is not rounded before, as compilers do that contract. */
export function contracting(wasm: Uint8Array, kind: Kind): Uint8Array<ArrayBuffer> {
  return rewritten(wasm, (text) => {
    const sum = `(${kind}.add`;
    const product = `(${kind}.mul`;
    let out = text;
    for (let at = out.indexOf(sum); at >= 0; at = out.indexOf(sum, at + 1)) {
      const [a, c, end] = operands(out, at + sum.length);
      if (!a.startsWith(product)) continue;
      const [x, y] = operands(a, product.length);
      out = `${out.slice(0, at)}(call $fused_${kind} ${x} ${y} ${c}${out.slice(end)}`;
    }
    return out;
  });
}

/** The integer dot product of SIMD forgets the sign of its operands: neither build with SIMD can serve. */
export function dottingUnsigned(wasm: Uint8Array): Uint8Array<ArrayBuffer> {
  return rewritten(wasm, (text) => text.replaceAll("(i32x4.dot_i16x8_s", "(call $dot_unsigned"));
}

/** Plain additions end in a trap. */
export function trapping(wasm: Uint8Array): Uint8Array<ArrayBuffer> {
  return rewritten(wasm, (text) => text.replaceAll("(f32.add", "(call $trap"));
}

function rewritten(wasm: Uint8Array, rewrite: (text: string) => string): Uint8Array<ArrayBuffer> {
  const built = binaryen.readBinary(wasm);
  const original = built.emitText();
  built.dispose();
  const text = rewrite(original);
  if (text === original) throw new Error("expected instructions to replace, got none");
  const module = binaryen.parseText(`${text.trimEnd().slice(0, -1)}${FAULTS})`);
  try {
    return new Uint8Array(module.emitBinary());
  } finally {
    module.dispose();
  }
}

function withFlushedArithmetic(
  text: string,
  kind: Kind,
  faulty: (op: string, a: string, b: string) => string,
): string {
  const type = kind === "f32" ? "f32" : "v128";
  let functions = "";
  let out = text;
  for (const name of ARITHMETIC) {
    const op = `${kind}.${name}`;
    out = out.replaceAll(`(${op}`, `(call $faulty_${op}`);
    const body = faulty(op, "(local.get 0)", "(local.get 1)");
    functions += `(func $faulty_${op} (param ${type} ${type}) (result ${type}) ${body})\n`;
  }
  return out === text ? text : `${out.trimEnd().slice(0, -1)}${functions})`;
}

function call(name: string, kind: Kind, ...args: string[]): string {
  return `(call $${name}_${kind} ${args.join(" ")})`;
}

/** The two operands in the text after an instruction's name, and the index of the parenthesis that closes it. */
function operands(text: string, from: number): [a: string, b: string, end: number] {
  const found: string[] = [];
  let at = from;
  for (;;) {
    while (/\s/.test(text[at]!)) at++;
    if (text[at] === ")") break;
    const start = at;
    let depth = 0;
    do {
      if (text[at] === "(") depth++;
      if (text[at] === ")") depth--;
      at++;
    } while (depth > 0);
    found.push(text.slice(start, at));
  }
  if (found.length !== 2) throw new Error(`expected two operands, got ${found.length}`);
  return [found[0]!, found[1]!, at];
}

const LANES = [0, 1, 2, 3];
const lane = (index: number, of: number) => `(f32x4.extract_lane ${of} (local.get ${index}))`;

const FAULTS = `
(func $trap (param f32 f32) (result f32) (unreachable))
(func $flush_f32 (param $x f32) (result f32)
  (if (result f32) (f32.lt (f32.abs (local.get $x)) (f32.const 0x1p-126))
    (then (f32.copysign (f32.const 0) (local.get $x)))
    (else (local.get $x))))
(func $flush_f32x4 (param $x v128) (result v128)
  (v128.andnot (local.get $x)
    (v128.and (v128.const i32x4 0x7fffffff 0x7fffffff 0x7fffffff 0x7fffffff)
      (i32x4.lt_s
        (v128.and (local.get $x) (v128.const i32x4 0x7fffffff 0x7fffffff 0x7fffffff 0x7fffffff))
        (v128.const i32x4 0x00800000 0x00800000 0x00800000 0x00800000)))))
(func $fused_f32 (param $a f32) (param $b f32) (param $c f32) (result f32)
  (f32.demote_f64 (f64.add
    (f64.mul (f64.promote_f32 (local.get $a)) (f64.promote_f32 (local.get $b)))
    (f64.promote_f32 (local.get $c)))))
(func $fused_f32x4 (param $a v128) (param $b v128) (param $c v128) (result v128)
  ${LANES.reduce(
    (vector, i) =>
      `(f32x4.replace_lane ${i} ${vector} (call $fused_f32 ${lane(0, i)} ${lane(1, i)} ${lane(2, i)}))`,
    "(local.get $a)",
  )})
(func $dot_unsigned (param $a v128) (param $b v128) (result v128)
  (i32x4.add
    (i32x4.mul
      (v128.and (local.get $a) (v128.const i32x4 0xffff 0xffff 0xffff 0xffff))
      (v128.and (local.get $b) (v128.const i32x4 0xffff 0xffff 0xffff 0xffff)))
    (i32x4.mul (i32x4.shr_u (local.get $a) (i32.const 16)) (i32x4.shr_u (local.get $b) (i32.const 16)))))
`;
