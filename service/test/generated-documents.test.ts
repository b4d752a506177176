import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { STATUSES, TRANSITIONS } from '#payment-requests/model/statuses.ts';
import { GENERATED_DOCUMENTS } from './support/documents/generated-documents.ts';
import { buildSdkFiles, readSdkFiles } from './support/documents/sdk-package-files.ts';
import { renderStatesDocument } from './support/documents/states-document.ts';

describe('the documents that are made from the code', () => {
  for (const { path, file, render } of GENERATED_DOCUMENTS) {
    it(`include ${path}, which is not stale (npm run docs writes it)`, async () => {
      assert.equal(readFileSync(file, 'utf8'), await render());
    });
  }

  it('include the files of sdk/dist, none stale and no other (npm run docs writes them)', () => {
    const [kept, built] = [readSdkFiles(), buildSdkFiles()];
    assert.ok(built.size > 40, `${built.size} files`);
    const paths = [...new Set([...kept.keys(), ...built.keys()])];
    assert.deepEqual(
      paths.filter((path) => kept.get(path) !== built.get(path)),
      [],
    );
  });
});

describe('the picture of the states', () => {
  it('has an arrow for every move of the table, and no other', () => {
    const [, diagram = ''] = /```mermaid\n([\s\S]*?)\n```/.exec(renderStatesDocument()) ?? [];
    const [kind, ...arrows] = diagram.split('\n');
    assert.equal(kind, 'stateDiagram-v2');
    const drawn = arrows.map((arrow) => /^ {4}(\S+) --> (\w+): \S/.exec(arrow)?.slice(1, 3));
    const rows = TRANSITIONS.map(({ from, to }) => [from ?? '[*]', to]);
    assert.deepEqual(drawn, rows);
    for (const status of STATUSES) assert.ok(drawn.flat().includes(status), status);
  });
});
