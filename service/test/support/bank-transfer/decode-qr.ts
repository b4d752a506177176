import { inflateSync } from 'node:zlib';
import decodeQR from 'qr/decode.js';

/** The text of a QR code in a black and white PNG of one bit a pixel, as the service draws it. */
export function decodeQrPng(png: Buffer): string {
  const side = png.readUInt32BE(16);
  const start = png.indexOf('IDAT') + 4;
  const pixels = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)));
  const rowBytes = 1 + Math.ceil(side / 8);
  const data = new Uint8Array(side * side * 4).fill(255);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const byte = pixels[y * rowBytes + 1 + (x >> 3)] ?? 0;
      if (((byte >> (7 - (x & 7))) & 1) === 0)
        data.fill(0, 4 * (y * side + x), 4 * (y * side + x) + 3);
    }
  }
  return decodeQR({ width: side, height: side, data }, { timeLimit: 5_000 });
}
