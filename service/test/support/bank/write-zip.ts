import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a zip archive, and what is wrong with it. */
export interface ZipEntry {
  readonly bytes: Buffer;
  readonly name?: string;
  /** 8: Deflate; 0: stored. */
  readonly method?: number;
  readonly crc?: number;
  /** Bit 0: encrypted. Bit 3: sizes and checksum stand behind the bytes. */
  readonly flags?: number;
  /** The size that the entry claims to unpack to. */
  readonly claimed?: number;
  /** Writes the sizes in the fields of zip64. */
  readonly isZip64?: boolean;
}

const WITH_DESCRIPTOR = 8;
const BEYOND_32_BITS = 0xffff_ffff;
const VERSION = 45;

const word = (value: number): Buffer => Buffer.from(Uint16Array.of(value).buffer);
const double = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
const quad = (value: number): Buffer => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);

/** A zip archive, byte by byte as APPNOTE.TXT has it, also with entries that no archiver makes. */
export function writeZip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const { bytes, name = 'statement.xml', method = 8, flags = 0, isZip64 = false } = entry;
    const { crc = crc32(bytes), claimed = bytes.length } = entry;
    const packed = method === 8 ? deflateRawSync(bytes) : bytes;
    const sizes = [crc, packed.length, claimed].map(double);
    const isLater = (flags & WITH_DESCRIPTOR) !== 0;
    const facts = [word(flags), word(method), double(0)];
    const names = (extra: number) => [word(Buffer.byteLength(name)), word(extra)];
    const local = Buffer.concat([
      ...[Buffer.from('PK\x03\x04'), word(VERSION), ...facts],
      ...(isLater ? [double(0), double(0), double(0)] : sizes),
      ...[...names(0), Buffer.from(name), packed],
      ...(isLater ? [Buffer.from('PK\x07\x08'), ...sizes] : []),
    ]);
    const wide = [word(1), word(16), quad(claimed), quad(packed.length)];
    const extra = isZip64 ? Buffer.concat(wide) : Buffer.alloc(0);
    const shown = isZip64 ? [double(crc), double(BEYOND_32_BITS), double(BEYOND_32_BITS)] : sizes;
    const rest = [word(0), word(0), word(0), double(0), double(at)];
    central.push(
      Buffer.concat([
        ...[Buffer.from('PK\x01\x02'), word(VERSION), word(VERSION), ...facts, ...shown],
        ...[...names(extra.length), ...rest, Buffer.from(name), extra],
      ]),
    );
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(central);
  const counts = [word(0), word(0), word(entries.length), word(entries.length)];
  const end = [...counts, double(directory.length), double(at), word(0)];
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), ...end]);
}
