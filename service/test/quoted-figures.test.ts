import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const ROOT = new URL('../../', import.meta.url).pathname;
/** The tables of measurements, which every document quotes. */
const SOURCE = 'bench/README.md';
/** A decision keeps the figures of its day. */
const DOCUMENTS = ['README.md', 'docs/*.md', 'docs/{operations,guides,specification}/**/*.md'];
/** `594<!-- bench: payment_requests | rows + indexes -->`; `&` adds rows. */
const QUOTE = /([\d][\d,]*(?:\.\d+)?)<!-- bench: ([^|]+?) \| (.+?) -->/g;
/** A rate that a reader takes for a measurement of ours. */
const UNMARKED = /\d[\d,]*\d (creates|deliveries|reads|payer pages) a second|÷ \d[\d,]*,\d{3} /g;

type Table = readonly (readonly string[])[];

function tablesOf(markdown: string): Table[] {
  const tables: (readonly string[])[][] = [];
  let isInside = false;
  for (const line of markdown.split('\n')) {
    const isRow = line.startsWith('|');
    if (isRow && !isInside) tables.push([]);
    if (isRow) tables.at(-1)?.push(line.split('|').slice(1, -1).map(plain));
    isInside = isRow;
  }
  return tables;
}

const plain = (cell: string) => cell.replaceAll(/[`*]/g, '').trim();
const numberOf = (text: string) => Number(text.replaceAll(',', ''));

/** @throws when no table, or more than one, has the row and the column */
function figureOf(tables: readonly Table[], row: string, column: string): number {
  const found = tables.flatMap(([head = [], , ...rows]) => {
    const place = head.indexOf(column);
    return place < 0 ? [] : rows.filter(([name]) => name === row).map((each) => each[place] ?? '');
  });
  assert.equal(found.length, 1, `${SOURCE} has ${found.length} cells "${row}", "${column}"`);
  return numberOf(found[0] ?? '');
}

/** The last digit that a quotation gives, as 10 in `590` and 0.01 in `0.47`. */
function unitOf(quoted: string): number {
  const [whole = '', decimals] = quoted.replaceAll(',', '').split('.');
  return decimals === undefined
    ? 10 ** (/0*$/.exec(whole)?.[0].length ?? 0)
    : 10 ** -decimals.length;
}

/** What is wrong with the figures of a document. */
function faultsOf(text: string, tables: readonly Table[]): string[] {
  const faults = (text.match(UNMARKED) ?? []).map((each) => `${each}: no marker names its table`);
  if (text.replaceAll(QUOTE, '').includes('<!-- bench:')) faults.push('a marker has no figure');
  for (const [, quoted = '', rows = '', columns = ''] of text.matchAll(QUOTE)) {
    const cells = rows.split(' & ').flatMap((row) => columns.split(' + ').map((c) => [row, c]));
    const value = cells.reduce((sum, [row = '', c = '']) => sum + figureOf(tables, row, c), 0);
    const isEqual = Math.abs(numberOf(quoted) - value) <= unitOf(quoted) / 2;
    if (!isEqual) faults.push(`${quoted} is ${value} in "${rows}", "${columns}"`);
  }
  return faults;
}

const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');

describe('the figures of the documents', () => {
  const tables = tablesOf(read(SOURCE));

  it('are those of the tables of measurements', () => {
    const documents = globSync(DOCUMENTS, { cwd: ROOT });
    const texts = documents.map((path) => [path, read(path)] as const);
    const quotes = texts.flatMap(([, text]) => [...text.matchAll(QUOTE)]);
    assert.ok(quotes.length >= 30, `only ${quotes.length} figures name their table`);
    const faults = texts.flatMap(([path, text]) =>
      faultsOf(text, tables).map((fault) => `${path}: ${fault}`),
    );
    assert.deepEqual(faults, []);
  });

  it('are found when they differ, or name no table', () => {
    const [table] = [tablesOf('| line | a second |\n|---|---|\n| create | 5,709 |\n')];
    const marked = (figure: string) =>
      `${figure}<!-- bench: create | a second --> creates a second`;
    assert.deepEqual(faultsOf(`${marked('5,709')}, ${marked('5,700')}`, table), []);
    assert.deepEqual(faultsOf(marked('2,065'), table), ['2,065 is 5709 in "create", "a second"']);
    assert.equal(faultsOf('2,065 creates a second', table).length, 1);
    assert.equal(faultsOf('19 ÷ 5,709 |', table).length, 1);
    assert.equal(faultsOf('about <!-- bench: create | a second -->', table).length, 1);
    assert.throws(() => faultsOf('1<!-- bench: list | a second -->', table), /has 0 cells "list"/);
  });
});
