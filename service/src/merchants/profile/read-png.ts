/// <reference path="./pngjs.d.ts" />
import { crc32, inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { Refusal } from '#merchants/operator-fault.ts';

/** A logo of pages is 3 rem high: 512 pixels are enough for every screen. */
const LARGEST_SIDE = 512;
/** Room for an image that compresses less well with a whole colour for each pixel. */
const LARGEST_WRITTEN_BYTES = 96 * 1_024;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length, type and checksum of a chunk. */
const CHUNK_FRAME_BYTES = 12;
const HEADER_BYTES = 13;
/** Samples of a pixel, and the bit depths that are allowed, by colour type (PNG, 11.2.2). */
const COLOUR_TYPES: Readonly<
  Record<number, readonly [samples: number, depths: readonly number[]]>
> = {
  0: [1, [1, 2, 4, 8, 16]],
  2: [3, [8, 16]],
  3: [1, [1, 2, 4, 8]],
  4: [2, [8, 16]],
  6: [4, [8, 16]],
};
/** Start and step of the columns and rows of each pass of an interlaced image (PNG, 8.2). */
const PASSES = [
  [0, 8, 0, 8],
  [4, 8, 0, 8],
  [0, 4, 4, 8],
  [2, 4, 0, 4],
  [0, 2, 2, 4],
  [1, 2, 0, 2],
  [0, 1, 1, 2],
] as const;
const WHOLE = [[0, 1, 0, 1]] as const;

type Header = ReturnType<typeof headerOf>;

interface Chunk {
  readonly type: string;
  /** With length, type and checksum. */
  readonly whole: Buffer;
  readonly data: Buffer;
}

const damaged = (how: string, type = ''): Refusal => new Refusal('logo.damaged', { how, type });

/**
 * Reads a PNG that a stranger may have made, and writes its pixels as a new one: texts, profiles
 * and anything behind the image are left out. The header bounds the size before anything is
 * inflated, and inflating ends at exactly the bytes that the header promises.
 *
 * @throws Refusal that names the option
 */
export function rewritePng(file: Buffer): Buffer {
  const chunks = chunksOf(file);
  const header = headerOf(chunks);
  checkKinds(chunks);
  inflateExactly(Buffer.concat(dataOf(chunks, 'IDAT')), pixelBytesOf(header));
  const kept = chunks.filter(({ type }) => /^(IHDR|PLTE|tRNS|IDAT|IEND)$/.test(type));
  const written = decodeAndWrite(Buffer.concat([SIGNATURE, ...kept.map(({ whole }) => whole)]));
  if (written.length > LARGEST_WRITTEN_BYTES) {
    throw new Refusal('logo.detail');
  }
  return written;
}

function chunksOf(file: Buffer): Chunk[] {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Refusal('logo.noPng');
  const chunks: Chunk[] = [];
  let at = SIGNATURE.length;
  while (chunks.at(-1)?.type !== 'IEND') {
    const length = at + CHUNK_FRAME_BYTES <= file.length ? file.readUInt32BE(at) : Infinity;
    const end = at + CHUNK_FRAME_BYTES + length;
    if (end > file.length) throw new Refusal('logo.cut');
    const whole = file.subarray(at, end);
    const content = whole.subarray(4, -4);
    if (crc32(content) !== whole.readUInt32BE(whole.length - 4)) {
      throw damaged('checksum');
    }
    chunks.push({ type: content.toString('latin1', 0, 4), whole, data: content.subarray(4) });
    at = end;
  }
  return chunks;
}

function headerOf([first]: readonly Chunk[]) {
  if (first?.type !== 'IHDR' || first.data.length !== HEADER_BYTES) {
    throw new Refusal('logo.noHeader');
  }
  const { data } = first;
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const [depth = 0, colourType = 0, compression, filter, interlace = 0] = data.subarray(8);
  if (width === 0 || height === 0 || width > LARGEST_SIDE || height > LARGEST_SIDE) {
    throw new Refusal('logo.pixels', { width, height, most: LARGEST_SIDE });
  }
  const [samples, depths] = COLOUR_TYPES[colourType] ?? [0, []];
  if (!depths.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) {
    throw damaged('noHeader');
  }
  return { width, height, bitsOfPixel: samples * depth, isInterlaced: interlace === 1 };
}

/** Only still images: another image in the same file would not be the one that was looked at. */
function checkKinds(chunks: readonly Chunk[]): void {
  for (const { type } of chunks) {
    if (/^(acTL|fcTL|fdAT)$/.test(type)) throw new Refusal('logo.animated');
    // An upper-case first letter: the image cannot be read without it (PNG, 5.4).
    if (/^[A-Z]/.test(type) && !/^(IHDR|PLTE|IDAT|IEND)$/.test(type)) {
      throw damaged('part');
    }
  }
  for (const type of ['IHDR', 'PLTE', 'tRNS']) {
    if (dataOf(chunks, type).length > 1) throw damaged('twice', type);
  }
  const places = chunks.flatMap(({ type }, at) => (type === 'IDAT' ? at : []));
  const [first = 0, last = -1] = [places[0], places.at(-1)];
  if (last - first + 1 !== places.length) {
    throw damaged('apart');
  }
}

const dataOf = (chunks: readonly Chunk[], wanted: string): Buffer[] =>
  chunks.filter(({ type }) => type === wanted).map(({ data }) => data);

/** The bytes of all rows, each with its filter byte. */
function pixelBytesOf({ width, height, bitsOfPixel, isInterlaced }: Header): number {
  let bytes = 0;
  for (const [column, columnStep, row, rowStep] of isInterlaced ? PASSES : WHOLE) {
    const columns = Math.ceil((width - column) / columnStep);
    const rows = Math.ceil((height - row) / rowStep);
    if (columns > 0 && rows > 0) bytes += rows * (1 + Math.ceil((columns * bitsOfPixel) / 8));
  }
  return bytes;
}

function inflateExactly(data: Buffer, bytes: number): void {
  let length = 0;
  try {
    length = inflateSync(data, { maxOutputLength: bytes + 1 }).length;
  } catch {
    throw damaged('unread');
  }
  if (length !== bytes) throw damaged('other');
}

function decodeAndWrite(clean: Buffer): Buffer {
  try {
    const image = PNG.sync.read(clean);
    const hasAlpha = image.data.some((value, at) => at % 4 === 3 && value < 255);
    return PNG.sync.write(image, { colorType: hasAlpha ? 6 : 2, deflateLevel: 9 });
  } catch {
    throw damaged('unread');
  }
}
