import assert from 'node:assert/strict';
import { SourceMap } from 'node:module';
import { describe, it } from 'node:test';

const SCRIPTS = new URL('../../../scripts/release/', import.meta.url);
const { keepLines } = await import(new URL('keep-lines.mjs', SCRIPTS).href);

/** Three modules, joined: the second is of a package. A segment: column, source, line, column. */
const MAP = {
  version: 3,
  file: 'joined.js',
  names: [],
  sourceRoot: '',
  sourcesContent: [],
  sources: ['../src/first.js', '../../node_modules/a/index.js', '../src/last.js'],
  // Line 1: line 41 of first.js, twice. Line 2: nothing. Line 3: line 1 of a/index.js.
  // Line 4: no source, then line 2001 of last.js. Line 5: its line 2000, then line 1 of first.js.
  mappings: 'AAwCE,MAAM;;ACxCR;A,ICg9DA;AADI,QF/8DJ',
};

const placeOf = (map: SourceMap, line: number, column: number) => {
  const entry = map.findEntry(line - 1, column);
  return 'originalSource' in entry ? `${entry.originalSource}:${entry.originalLine + 1}` : null;
};

describe('the source map of a release', () => {
  const kept = keepLines(MAP, (source: string) => !source.includes('node_modules'));

  it('leads from a line to its file and line', () => {
    const [whole, map] = [new SourceMap(MAP), new SourceMap(kept)];
    const places = { 1: '../src/first.js:41', 4: '../src/last.js:2001', 5: '../src/last.js:2000' };
    for (const [line, place] of Object.entries(places)) {
      assert.equal(placeOf(whole, Number(line), 4), place);
      assert.equal(placeOf(map, Number(line), 60), place);
    }
  });

  it('holds the modules of the service alone', () => {
    assert.deepEqual(kept.sources, ['../src/first.js', '../src/last.js']);
    assert.deepEqual(
      kept.mappings.split(';').map((line: string) => line !== ''),
      [true, false, false, true, true],
    );
  });
});
