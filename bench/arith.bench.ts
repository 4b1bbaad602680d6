// What binary32 costs in integers (`soft`, `scalar`) beside float instructions (`simd`), and the machine's limits.
import { bestNanoseconds, compile } from "./compile.ts";
import { peakDotGops, peakF32Gflops } from "./peak.ts";

const COUNT = 4096;
const ROUNDS = 50;
const round = (x: number): number => Math.round(x * 100) / 100;

const KERNELS: readonly (readonly [label: string, kernel: string, lanes: string | null])[] = [
  ["multiply-add, one after another", "multiply_add", null],
  ["multiply-add, apart", "multiply_add_apart", null],
  ["div", "divide", null],
  ["sqrt (and a mul)", "root", null],
  ["exp", "exponential", "exp_lanes"],
  ["erf", "error_function", "erf_lanes"],
];

export async function bench() {
  const soft = await compile("multiply_add", "u32");
  const float = await compile("multiply_add", "f32");
  const lanes = await compile("peak", "f32");
  for (const kernels of [soft, float, lanes]) kernels["fill"]!();
  const rows = KERNELS.map(([operation, kernel, laneKernel]) => {
    if (soft[kernel]!(3) !== float[kernel]!(3)) throw new Error(`${kernel}: soft and f32 differ`);
    const each = (kernels: typeof soft): number =>
      bestNanoseconds(() => kernels[kernel]!(ROUNDS)) / (COUNT * ROUNDS);
    const [softCost, floatCost] = [each(soft), each(float)];
    return {
      operation,
      "soft ns": round(softCost),
      "f32 ns": round(floatCost),
      ratio: round(softCost / floatCost),
      ...(laneKernel !== null && {
        "f32x4 ns a lane": round(bestNanoseconds(() => lanes[laneKernel]!(200)) / (768 * 200)),
      }),
    };
  });
  return [
    { title: "binary32, operands of mixed signs and sizes, one core", rows },
    {
      title: "peak of one core",
      rows: [
        { instructions: "f32x4.mul + f32x4.add", "Gop/s": round(await peakF32Gflops()) },
        { instructions: "i32x4.dot_i16x8_s + i32x4.add", "Gop/s": round(await peakDotGops()) },
      ],
    },
  ];
}
