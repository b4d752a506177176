import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { Refusal } from '#merchants/operator-fault.ts';
import { rewritePng } from '#merchants/profile/read-png.ts';
import { makePng, PNG_SIGNATURE, pngChunk, pngHeader, pngPixels } from '../support/make-png.ts';

const png = (...chunks: Buffer[]) => Buffer.concat([PNG_SIGNATURE, ...chunks, pngChunk('IEND')]);
const idat = (data: Buffer) => pngChunk('IDAT', data);

const HOSTILE: readonly (readonly [name: string, file: Buffer, message: RegExp])[] = [
  ['empty', Buffer.alloc(0), /is no PNG/],
  ['a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), /is no PNG/],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'), /is no PNG/],
  ['a bare signature', PNG_SIGNATURE, /is cut off/],
  ['cut off in its pixels', makePng().subarray(0, -30), /is cut off/],
  ['cut off in a header', makePng().subarray(0, 20), /is cut off/],
  ['without an end', makePng().subarray(0, -12), /is cut off/],
  [
    'a chunk that is longer than the file',
    Buffer.concat([PNG_SIGNATURE, pngHeader(1, 1), Buffer.from('ffffffff49444154', 'hex')]),
    /is cut off/,
  ],
  ['a wrong checksum', makePng().fill(0xff, 17, 18), /a checksum is wrong/],
  ['without a header', png(idat(pngPixels(1, 1))), /header is missing/],
  ['513 pixels wide', makePng(513, 1), /has 513 × 1 pixels/],
  ['513 pixels high', makePng(1, 513), /has 1 × 513 pixels/],
  ['of no pixels', png(pngHeader(0, 1), idat(pngPixels(1, 1))), /has 0 × 1 pixels/],
  ['a colour type that does not exist', png(pngHeader(1, 1, [8, 5, 0, 0, 0])), /its header/],
  ['a depth that its colour type has not', png(pngHeader(1, 1, [1, 2, 0, 0, 0])), /its header/],
  ['two headers', makePng(4, 4, [pngHeader(512, 512)]), /has IHDR twice/],
  ['animated', makePng(4, 4, [pngChunk('acTL', Buffer.alloc(8))]), /is animated/],
  ['a frame of an animation', makePng(4, 4, [pngChunk('fcTL', Buffer.alloc(26))]), /is animated/],
  ['an unknown critical chunk', makePng(4, 4, [pngChunk('EVIL')]), /unknown kind/],
  [
    'pixels in two places',
    png(pngHeader(4, 4), idat(pngPixels(4, 4)), pngChunk('tEXt'), idat(Buffer.alloc(0))),
    /not in one place/,
  ],
  ['without pixels', png(pngHeader(4, 4)), /cannot be read/],
  ['pixels that do not inflate', png(pngHeader(4, 4), idat(Buffer.alloc(40, 7))), /cannot be read/],
  ['too few pixels', png(pngHeader(4, 4), idat(pngPixels(4, 3))), /not those of its header/],
  ['more pixels than its header', png(pngHeader(4, 4), idat(pngPixels(4, 5))), /cannot be read/],
  [
    'a palette image without its palette',
    png(pngHeader(1, 1, [8, 3, 0, 0, 0]), idat(deflateSync(Buffer.from([0, 0])))),
    /cannot be read/,
  ],
];

describe('a logo', () => {
  for (const [name, file, message] of HOSTILE) {
    it(`is refused: ${name}`, () => {
      assert.throws(
        () => rewritePng(file),
        (error) => {
          assert.ok(error instanceof Refusal, String(error));
          assert.match(error.message, message);
          return true;
        },
      );
    });
  }

  it('is refused as a bomb, without its gigabyte in memory', () => {
    const bomb = deflateSync(Buffer.alloc(30_000_000));
    const before = process.memoryUsage().arrayBuffers;
    const file = png(pngHeader(512, 512), idat(bomb));
    assert.throws(() => rewritePng(file), /cannot be read/);
    assert.ok(process.memoryUsage().arrayBuffers - before < 8_000_000);
  });

  it('keeps its pixels, and nothing else', () => {
    const texts = [
      pngChunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>')),
      pngChunk('eXIf', Buffer.from('where it was taken')),
      pngChunk('iCCP', Buffer.from('profile')),
    ];
    const file = Buffer.concat([makePng(20, 10, texts), Buffer.from('PK\x03\x04 a second file')]);
    const written = rewritePng(file);
    const { width, height, data } = PNG.sync.read(written);
    assert.deepEqual([width, height], [20, 10]);
    assert.deepEqual([...data.subarray(0, 4)], [47, 125, 79, 255]);
    assert.doesNotMatch(written.toString('latin1'), /script|taken|profile|PK|tEXt|eXIf|iCCP/);
    assert.deepEqual(rewritePng(written), written, 'a logo that was written is written the same');
  });

  it('keeps what is transparent', () => {
    const data = Buffer.from([255, 0, 0, 128, 0, 255, 0, 0]);
    const written = rewritePng(PNG.sync.write({ width: 2, height: 1, data }));
    assert.deepEqual([...PNG.sync.read(written).data], [...data]);
  });

  it('may be interlaced', () => {
    // Adam7 of 1 × 1 has one pass of one pixel.
    const pixel = deflateSync(Buffer.from([0, 47, 125, 79]));
    const written = rewritePng(png(pngHeader(1, 1, [8, 2, 0, 0, 1]), idat(pixel)));
    assert.deepEqual([...PNG.sync.read(written).data], [47, 125, 79, 255]);
  });

  it('is never anything but a logo or a fault, whatever byte is changed', () => {
    const good = makePng(16, 16);
    for (let at = 0; at < good.length; at++) {
      const file = Buffer.from(good);
      file[at] = (file[at] ?? 0) ^ (1 + ((randomBytes(1)[0] ?? 0) % 255));
      try {
        rewritePng(file);
        assert.fail(`byte ${at} of ${good.length} changed nothing`);
      } catch (error) {
        assert.ok(error instanceof Refusal, String(error));
      }
    }
  });

  it('that would be too large when it is written is refused', () => {
    const data = Buffer.alloc(512 * 512 * 4, 255);
    for (let at = 0; at < data.length; at += 4) data.set(randomBytes(3), at);
    assert.throws(
      () => rewritePng(PNG.sync.write({ width: 512, height: 512, data })),
      /too much detail/,
    );
  });
});
