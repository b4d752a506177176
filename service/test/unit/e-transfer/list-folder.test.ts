import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type OpenSftp, sessionOf } from '#e-transfer/bank-transfer/connection/sftp-session.ts';
import { matcherOf } from '#e-transfer/bank-transfer/connection/take-files.ts';

const NAMES_OF_PART = 1_000;

/** A server that lists so many names in parts; the time of a name grows with its number. */
function serverOf(names: number): OpenSftp {
  let listed = 0;
  const sftp = {
    opendir: (_folder: string, answer: (error: null, handle: Buffer) => void) =>
      answer(null, Buffer.alloc(4)),
    readdir(_handle: Buffer, answer: (error: object | null, part?: object[]) => void) {
      if (listed === names) return answer({ code: 1 });
      const part = Array.from({ length: Math.min(NAMES_OF_PART, names - listed) }, () => {
        listed += 1;
        const ending = listed % 10 === 0 ? 'txt' : 'xml';
        return { filename: `${listed}.${ending}`, attrs: { size: listed, mtime: listed } };
      });
      return answer(null, part);
    },
    close: (_handle: Buffer, answer: (error: null) => void) => answer(null),
  };
  return { client: {}, sftp, broken: new Promise(() => {}) } as unknown as OpenSftp;
}

describe('the listing of a bank’s folder', () => {
  for (const [names, kept, newest, oldest] of [
    [5_000, 4_500, 4_999, 1],
    [111_112, 100_000, 111_112, 2],
    [350_000, 100_000, 349_999, 238_889],
  ] as const) {
    it(`keeps ${kept} of ${names} names, newest first`, async () => {
      const session = sessionOf(serverOf(names));
      const found = await session.list('/out', (name) => name.endsWith('.xml'));
      assert.equal(found.length, kept);
      assert.deepEqual(found[0], { name: `${newest}.xml`, size: newest, modifiedAt: newest });
      assert.equal(found.at(-1)?.name, `${oldest}.xml`);
    });
  }
});

describe('the pattern of a bank’s folder', () => {
  for (const [pattern, taken, left] of [
    ['*.xml', ['a.xml', 'a.b.xml', 'a\nb.xml'], ['.a.xml', 'a.XML', 'a.xml.tmp', 'axml']],
    ['*', ['a', 'a.xml'], ['.a']],
    ['C5?_*.zip', ['C53_.zip', 'C5x_9.zip'], ['C5_9.zip', 'C53_9.zip.part']],
    ['.?*', ['.a'], ['.', 'a']],
    ['a+(b)[c]$.xml', ['a+(b)[c]$.xml'], ['aab.xml', 'a+bc.xml']],
  ] as const) {
    it(`is read as a shell reads it: ${pattern}`, () => {
      const matches = matcherOf(pattern);
      assert.deepEqual([...taken, ...left].filter(matches), taken);
    });
  }
});
