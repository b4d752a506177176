import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { contrast, PAGE_BACKGROUNDS } from '#merchants/profile/contrast.ts';

const STYLES = join(import.meta.dirname, '../../browser/styles');
const SHEETS = readdirSync(STYLES, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.css'),
);
const TOKENS = readFileSync(join(STYLES, 'base/tokens.css'), 'utf8');

/** The tokens of a scheme, those of the light one below them. */
function tokensOf(scheme: 'light' | 'dark'): (name: string) => string {
  const [light = '', rest = ''] = TOKENS.split('@media (prefers-color-scheme: dark)');
  const [dark = ''] = rest.split('@media print');
  const text = scheme === 'light' ? light : light + dark;
  const found = new Map(
    [...text.matchAll(/--([\w-]+): (#\w+);/g)].map(([, name, hex]) => [name, hex]),
  );
  return (name) => found.get(name) ?? assert.fail(`${scheme} has no --${name}`);
}

const OWN_VALUE =
  /#[0-9a-f]{3,8}\b|\b(rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(|:.*\b(white|black|red|green|blue|gr[ae]y)\b|^(font-size|border-radius): [\d.]+(rem|px)/;

/** The declarations of a sheet with a value that belongs to the tokens. */
function ownValues(sheet: string): string[] {
  return sheet
    .split('\n')
    .map((line) => line.trim().replace(/;$/, ''))
    .filter((line) => OWN_VALUE.test(line) && !/^border-radius: 1px$/.test(line));
}

const STATES = ['good', 'info', 'warning', 'bad', 'neutral'];

describe('the tokens of the design', () => {
  for (const scheme of ['light', 'dark'] as const) {
    const token = tokensOf(scheme);

    it(`have enough contrast in the ${scheme} scheme`, () => {
      const pairs: (readonly [front: string, ground: string, least: number])[] = [
        ['on-accent', 'accent', 4.5],
        ['accent', 'accent-soft', 4.5],
      ];
      for (const ground of ['page', 'card', 'sunken']) {
        pairs.push(['edge', ground, 3]);
        for (const front of ['text', 'quiet', 'accent', ...STATES])
          pairs.push([front, ground, 4.5]);
      }
      for (const state of STATES) {
        pairs.push([state, `${state}-soft`, 4.5], ['text', `${state}-soft`, 4.5]);
      }
      const weak = pairs.filter(([a, b, least]) => contrast(token(a), token(b)) < least);
      assert.deepEqual(weak, []);
    });

    it(`are the backgrounds that a merchant’s colour is compared with in the ${scheme} scheme`, () => {
      assert.deepEqual(PAGE_BACKGROUNDS[scheme], [token('page'), token('card')]);
    });
  }

  it('are the only colours, type sizes and radii of the sheets', () => {
    const faults = SHEETS.filter((name) => !name.endsWith('tokens.css')).flatMap((name) =>
      ownValues(readFileSync(join(STYLES, name), 'utf8')).map((line) => `${name}: ${line}`),
    );
    assert.deepEqual(faults, []);
    for (const planted of [
      'background: #fff;',
      'color: white;',
      '--accent: #5b2fa8;',
      'background: rgb(0 0 0 / 40%);',
      'border: 1px solid hsl(10deg 20% 30%);',
      'font-size: 14px;',
    ]) {
      assert.equal(ownValues(`a {\n  ${planted}\n}`).length, 1, planted);
    }
  });
});
