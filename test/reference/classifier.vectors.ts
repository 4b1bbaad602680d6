import { logit, openCrossEncoder, pairOf, tanh } from "./cross-encoder.ts";
import { hexOfF32 } from "./hex.ts";
import { splitmix32 } from "./prng.ts";

const MODEL = "tiny-cross";

const LONG = "the garden party had lanterns and a long table under the old apple trees ".repeat(8);

const PAIRS: [a: string, b: string][] = [
  ["", ""],
  ["cake", ""],
  ["", "cake"],
  ["birthday party", "Balloons, candles and a chocolate cake for the birthday party."],
  ["Balloons, candles and a chocolate cake for the birthday party.", "birthday party"],
  ["birthday party", "The apple trees need water."],
  ["Wie groß ist Zürich?", "Zu\u0308rich hat 440 000 Einwohner.\r\n"],
  ["東京 の 天気", "東京"],
  // Cut: the second, the first, both, and both at equal lengths.
  ["apple trees", LONG],
  [LONG, "apple trees"],
  [LONG, `lake ${LONG}`],
  ["a b c d e f g h i j k l m n o p q r s t u v w x y z 1 2 3 4 5", LONG],
  [LONG, "a b c d e f g h i j k l m n o p q r s t u v w x y z 1 2 3 4 5"],
  ["a b c d e f g h i j k l m n o p q r s t u v w x y z 1 2 3 4", LONG],
];

/** SPEC §8.6 */
export function generate() {
  const encoder = openCrossEncoder(MODEL);
  const { vocabulary, limit } = encoder.manifest;
  const next = splitmix32(0x636c6173);
  const drawn = [4, 5, 9, 24, 63, limit].map((n) => ({
    ids: Array.from({ length: n }, () => next() % vocabulary),
    first: 1 + (next() % (n - 1)),
  }));
  const numbers = [0, 2 ** -149, 1e-6, 0.01, 0.25, 0.5, 1, 2.5, 8, 9.5, 50, 3.4e38].map(Math.fround);
  return {
    _comment:
      "Pairs of texts -> token ids, of which the first `first` have type 0 and the others type 1 -> the bits of the logit. Cases without texts are ids alone. `tanh`: bits of x and of tanh x.",
    spec: "SPEC §8.6",
    parameters: { model: MODEL },
    cases: [
      ...PAIRS.map(([a, b]) => {
        const { ids, first } = pairOf(encoder, a, b);
        return {
          a,
          b,
          ids: ids.join(" "),
          first,
          logit: hexOfF32(Float32Array.of(logit(encoder, ids, first))),
        };
      }),
      ...drawn.map(({ ids, first }) => ({
        ids: ids.join(" "),
        first,
        logit: hexOfF32(Float32Array.of(logit(encoder, ids, first))),
      })),
    ],
    tanh: numbers
      .flatMap((x) => [x, -x])
      .map((x) => ({ x: hexOfF32(Float32Array.of(x)), tanh: hexOfF32(Float32Array.of(tanh(x))) })),
  };
}
