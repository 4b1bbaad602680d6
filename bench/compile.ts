import { dirname, join } from "node:path";
import asc from "assemblyscript/asc";

const root = dirname(import.meta.dirname);

type Kernels = Readonly<Record<string, (...args: number[]) => number>>;

/** Compiles bench/assembly/<name>.ts as asconfig.json does a build, and instantiates it. */
export async function compile(name: string, real: "f32" | "u32"): Promise<Kernels> {
  const out = "out.wasm";
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    // prettier-ignore
    [join("bench/assembly", `${name}.ts`), "--baseDir", root, "--outFile", out, "-O3", "--converge"].concat([
      "--runtime",
      "stub",
      "--enable",
      "simd",
      "--use",
      "abort=",
      "--use",
      `real=${real}`,
    ]),
    {
      writeFile: (file, contents) => {
        if (file === out) binary = contents as Uint8Array;
      },
    },
  );
  if (error !== null || binary === undefined) throw new Error(`${name}.ts does not compile: ${stderr}`);
  const { instance } = await WebAssembly.instantiate(binary as Uint8Array<ArrayBuffer>, {});
  return instance.exports as unknown as Kernels;
}

/** The best of `tries` runs in nanoseconds: what the work costs when nothing else happens on the machine. */
export function bestNanoseconds(work: () => void, tries = 15): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < tries; i++) {
    const start = process.hrtime.bigint();
    work();
    best = Math.min(best, Number(process.hrtime.bigint() - start));
  }
  return best;
}
