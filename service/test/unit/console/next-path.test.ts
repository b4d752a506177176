import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextPathOf } from '#console/sign-in/model/next-path.ts';

describe('nextPathOf', () => {
  for (const path of [
    '/console',
    '/console/m/mer_1/payment-requests?status=PAID&from=2026-03-01',
    '/console/search?q=a%20b',
    '/console?lang=fr',
  ]) {
    it(`keeps ${path}`, () => assert.equal(nextPathOf(path), path));
  }

  for (const wanted of [
    'https://evil.example/console',
    '//evil.example/console',
    '/\\evil.example/console',
    '/console\\..\\..\\evil.example',
    '/console/../../evil.example',
    '/console/..//evil.example',
    '/console/%2e%2e//evil.example',
    '/consolex',
    '/console@evil.example',
    'console',
    '/pay/abc',
    '/console/\t/evil.example',
    '/console/\n/evil.example',
    '/console\u0000',
    '/console#//evil.example',
    '/console/sign-in?next=/console',
    '/console/sign-out',
    `/console/search?q=${'x'.repeat(1_500)}`,
    ['/console/search'],
    undefined,
    null,
    7,
  ]) {
    it(`leads to the first page from ${JSON.stringify(wanted)?.slice(0, 50)}`, () => {
      assert.equal(nextPathOf(wanted), '/console');
    });
  }
});
