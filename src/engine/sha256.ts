/**
 * SHA-256 of bytes that arrive part by part, FIPS 180-4. WebCrypto digests only what is whole, and a download is
 * checked while it streams.
 *
 * @example
 * new Sha256().update(part).update(next).hex();
 */
export class Sha256 {
  readonly #state = Int32Array.from(primes(8), (prime) => fraction(prime, 2n));
  readonly #block = new Uint8Array(64);
  readonly #schedule = new Int32Array(64);
  readonly #constants = roundConstants();
  #length = 0;

  update(part: Uint8Array): this {
    const view = new DataView(part.buffer, part.byteOffset);
    for (let at = 0; at < part.length; ) {
      const filled = this.#length % 64;
      const taken = Math.min(64 - filled, part.length - at);
      this.#length += taken;
      if (taken === 64) this.#compress(view, at);
      else {
        this.#block.set(part.subarray(at, at + taken), filled);
        if (this.#length % 64 === 0) this.#compress(new DataView(this.#block.buffer), 0);
      }
      at += taken;
    }
    return this;
  }

  /** Ends the message and returns its digest as 64 hex digits. */
  hex(): string {
    const bits = this.#length * 8;
    const padding = new Uint8Array(72 - ((this.#length + 8) % 64));
    padding[0] = 0x80;
    const end = new DataView(padding.buffer, padding.length - 8);
    end.setUint32(0, Math.floor(bits / 2 ** 32));
    end.setUint32(4, bits);
    this.update(padding);
    return Array.from(this.#state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }

  #compress(view: DataView, at: number): void {
    const w = this.#schedule;
    const k = this.#constants;
    for (let t = 0; t < 16; t++) w[t] = view.getInt32(at + 4 * t);
    for (let t = 16; t < 64; t++) {
      const x = w[t - 15]!;
      const y = w[t - 2]!;
      const s0 = rotated(x, 7) ^ rotated(x, 18) ^ (x >>> 3);
      const s1 = rotated(y, 17) ^ rotated(y, 19) ^ (y >>> 10);
      w[t] = w[t - 16]! + s0 + w[t - 7]! + s1;
    }
    const s = this.#state;
    let a = s[0]!;
    let b = s[1]!;
    let c = s[2]!;
    let d = s[3]!;
    let e = s[4]!;
    let f = s[5]!;
    let g = s[6]!;
    let h = s[7]!;
    for (let t = 0; t < 64; t++) {
      const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + k[t]! + w[t]!) | 0;
      const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    s[0] = s[0]! + a;
    s[1] = s[1]! + b;
    s[2] = s[2]! + c;
    s[3] = s[3]! + d;
    s[4] = s[4]! + e;
    s[5] = s[5]! + f;
    s[6] = s[6]! + g;
    s[7] = s[7]! + h;
  }
}

function rotated(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/**
 * Returns the first 32 bits of the fractional part of a prime's square or cube root: the constants of FIPS 180-4 §4.2.2
 * and §5.3.3, in whole numbers and so exact on every engine.
 */
function fraction(prime: number, degree: 2n | 3n): number {
  const power = BigInt(prime) << (32n * degree);
  let root = 1n << 40n; // above every such root: Newton's steps descend to its floor
  for (;;) {
    const next = ((degree - 1n) * root + power / root ** (degree - 1n)) / degree;
    if (next >= root) return Number(BigInt.asIntN(32, root));
    root = next;
  }
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

let constants: Int32Array | undefined;

/** Computed when the first file is downloaded: most processes download none. */
function roundConstants(): Int32Array {
  constants ??= Int32Array.from(primes(64), (prime) => fraction(prime, 3n));
  return constants;
}
