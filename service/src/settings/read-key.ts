const KEY_BYTES = 32;
/** 32 random bytes have about 30 different values; fewer than 16 occur once in 10^19 keys. */
const FEWEST_DIFFERENT_BYTES = 16;
const HOW = 'openssl rand -base64 32';

/** Reads a key of 32 bytes in base64, also a weak one: the previous key of a rotation. */
export function readKey(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== text) {
    throw new Error(`must be ${KEY_BYTES} random bytes in standard base64 (${HOW})`);
  }
  return bytes;
}

/** Reads a key and refuses bytes that cannot come from a random generator. */
export function readStrongKey(text: string): Buffer {
  const bytes = readKey(text);
  const weakness = weaknessOf(bytes);
  if (weakness) throw new Error(`is not random: ${weakness}. Make a key with ${HOW}`);
  return bytes;
}

function weaknessOf(bytes: Buffer): string | null {
  const different = new Set(bytes).size;
  if (different < FEWEST_DIFFERENT_BYTES) {
    return `its ${KEY_BYTES} bytes have only ${different} different values`;
  }
  const step = (index: number) => ((bytes[index] ?? 0) - (bytes[index - 1] ?? 0)) & 0xff;
  if (bytes.every((_, index) => index === 0 || step(index) === step(1))) return 'it counts';
  if (bytes.subarray(0, KEY_BYTES / 2).equals(bytes.subarray(KEY_BYTES / 2))) {
    return 'its second half repeats the first';
  }
  // Random bytes are all printable once in 10^13 keys.
  return bytes.every((byte) => byte >= 0x20 && byte < 0x7f) ? 'its bytes are text' : null;
}

/** RFC 6750's token characters; 24 random ones of base64 are 144 bits. */
const TOKEN = /^[\w.~+/-]{24,}=*$/;
const FEWEST_DIFFERENT_CHARACTERS = 10;

/** Reads the bearer token of the operators' listener; null: no token is required. */
export function readOpsToken(text: string): Buffer | null {
  if (text === '') return null;
  if (!TOKEN.test(text) || new Set(text).size < FEWEST_DIFFERENT_CHARACTERS) {
    throw new Error(`must be 24 random characters or more, such as ${HOW} makes`);
  }
  return Buffer.from(text);
}
