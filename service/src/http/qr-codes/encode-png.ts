import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BIT_DEPTH = 1;
const GREYSCALE = 0;

/**
 * A black and white PNG (RFC 2083): one bit a pixel, which the codes here need and no more.
 *
 * @param modules rows of a square; true is black.
 * @param scale   pixels along the side of one module.
 */
export function encodePng(modules: readonly (readonly boolean[])[], scale: number): Buffer {
  const side = modules.length * scale;
  const rows = modules.map((row) => encodeRow(row, scale));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([BIT_DEPTH, GREYSCALE], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows.flatMap((row) => Array(scale).fill(row))))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A line of pixels: the filter byte (none), then eight pixels a byte; a set bit is white. */
function encodeRow(row: readonly boolean[], scale: number): Buffer {
  const bytes = Buffer.alloc(1 + Math.ceil((row.length * scale) / 8));
  for (let x = 0; x < row.length * scale; x++) {
    const isWhite = row[Math.floor(x / scale)] !== true;
    if (isWhite) bytes[1 + (x >> 3)] = (bytes[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
  }
  return bytes;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
