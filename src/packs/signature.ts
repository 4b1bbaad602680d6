/**
 * Ed25519 signatures of packs. With @noble/curves, and not the host's WebCrypto, every host accepts the same signatures.
 * SPEC §27.6
 */
import { ed25519 } from "@noble/curves/ed25519";
import { fromHex, toHex } from "../engine/digest.ts";
import { badArgument } from "../errors/arguments.ts";
import { SelfsameError } from "../errors/selfsame-error.ts";
import { tagField } from "../identity/tagged-hash.ts";
import { concat } from "./byte-reader.ts";
import { packDamaged } from "./damage.ts";

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const SIGNED = tagField("pack-signature");
/** What stands before the 32 bytes of a key in DER: PKCS #8 and SubjectPublicKeyInfo, RFC 8410. */
const DER = {
  private: "302e020100300506032b657004220420",
  public: "302a300506032b6570032100",
} as const;

/** Returns a function that signs the digest of a pack: the public key, then the signature. */
export function signerOf(key: string | Uint8Array): (digest: Uint8Array) => Uint8Array {
  const secret = keyBytes("sign", key, "private");
  return (digest) => concat([ed25519.getPublicKey(secret), ed25519.sign(message(digest), secret)], 96);
}

/** Returns the 32 bytes of a public key that a caller gave. */
export function publicKey(key: string | Uint8Array): Uint8Array {
  return keyBytes("requireSignature", key, "public");
}

/**
 * Returns who signed a pack, in hexadecimal; null if nobody did. A signature that is there must be right.
 *
 * @param required the key that must have signed it
 * @throws {SelfsameError} PACK_SIGNATURE, or PACK_DAMAGED
 */
export function checkSignature(
  digest: Uint8Array,
  signature: Uint8Array | null,
  required: Uint8Array | null,
): string | null {
  const signer = signature?.subarray(0, KEY_BYTES) ?? null;
  if (required !== null && (signer === null || toHex(signer) !== toHex(required)))
    throw badSignature(
      `expected a pack signed by ${toHex(required)}, got ${signer === null ? "no signature" : `one by ${toHex(signer)}`}`,
    );
  if (signature === null || signer === null) return null;
  if (signature.length !== KEY_BYTES + SIGNATURE_BYTES)
    throw packDamaged(`a signature of ${KEY_BYTES + SIGNATURE_BYTES} bytes`, `${signature.length}`);
  if (!isSigned(signature.subarray(KEY_BYTES), message(digest), signer))
    throw badSignature(`expected the signature of ${toHex(signer)} over ${toHex(digest)}, got another one`);
  return toHex(signer);
}

function isSigned(signature: Uint8Array, signed: Uint8Array, signer: Uint8Array): boolean {
  try {
    // Strict RFC 8032: one verdict on every device.
    return ed25519.verify(signature, signed, signer, { zip215: false });
  } catch {
    return false; // not the bytes of a point or a number
  }
}

function message(digest: Uint8Array): Uint8Array {
  return concat([SIGNED, digest], SIGNED.length + digest.length);
}

function keyBytes(name: string, key: string | Uint8Array, kind: keyof typeof DER): Uint8Array {
  const bytes = typeof key === "string" ? textKey(key.trim(), kind) : key;
  if (bytes instanceof Uint8Array && bytes.length === KEY_BYTES) return bytes;
  // The key itself never stands in a message.
  throw badArgument(
    name,
    `an Ed25519 ${kind} key: ${KEY_BYTES} bytes, ${2 * KEY_BYTES} hexadecimal digits, or PEM`,
    typeof key === "string" ? "another text" : "something else",
  );
}

function textKey(text: string, kind: keyof typeof DER): Uint8Array | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return fromHex(text.toLowerCase());
  const label = `${kind.toUpperCase()} KEY`;
  const [, base64] =
    new RegExp(`^-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]{1,200})-----END ${label}-----$`).exec(text) ?? [];
  if (base64 === undefined) return null;
  try {
    const der = Uint8Array.from(atob(base64.replaceAll(/\s/g, "")), (character) => character.charCodeAt(0));
    const start = DER[kind].length / 2;
    return toHex(der.subarray(0, start)) === DER[kind] ? der.subarray(start) : null;
  } catch {
    return null;
  }
}

function badSignature(reason: string): SelfsameError {
  return new SelfsameError(
    "PACK_SIGNATURE",
    reason,
    "Nothing was imported. Ask whoever made the pack for one that is signed with the expected key",
  );
}
