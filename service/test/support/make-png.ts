import { crc32, deflateSync } from 'node:zlib';

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A chunk with its length and checksum. */
export function pngChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(content), 4);
  return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)]);
}

export function pngHeader(
  width: number,
  height: number,
  [depth, colourType, compression, filter, interlace] = [8, 2, 0, 0, 0],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colourType, compression, filter, interlace].map(Number), 8);
  return pngChunk('IHDR', header);
}

/** The compressed rows of one colour. */
export function pngPixels(width: number, height: number, colour = [47, 125, 79]): Buffer {
  const row = Buffer.concat([Buffer.alloc(1), ...Array(width).fill(Buffer.from(colour))]);
  return deflateSync(Buffer.concat(Array(height).fill(row)));
}

/** A PNG of one colour, with other chunks before its pixels. */
export function makePng(width = 96, height = 48, extra: readonly Buffer[] = []): Buffer {
  return Buffer.concat([
    PNG_SIGNATURE,
    pngHeader(width, height),
    ...extra,
    pngChunk('IDAT', pngPixels(width, height)),
    pngChunk('IEND'),
  ]);
}
