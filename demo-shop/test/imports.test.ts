import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const SRC = new URL('../src/', import.meta.url);
/** It belongs to `npm start`, and to no shop. */
const LOCAL_MAIL_SERVER = 'inbox/local-inbox.ts';

describe('the shop', () => {
  it('imports only the SDK and Node.js, so that a merchant can copy it', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.ts') && path !== LOCAL_MAIL_SERVER,
    );
    assert.ok(files.length > 10);
    const foreign = files.flatMap((path) =>
      [...readFileSync(new URL(path, SRC), 'utf8').matchAll(/ from '([^'\n]+)';$/gm)]
        .map(([, specifier = '']) => specifier)
        .filter((specifier) => !/^(\.{1,2}\/|node:|@payment-requests\/sdk$)/.test(specifier))
        .map((specifier) => `${path}: ${specifier}`),
    );
    assert.deepEqual(foreign, []);
  });
});
