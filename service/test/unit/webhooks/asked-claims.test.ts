import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AskedClaims } from '#webhooks/sending/asked-claims.ts';

describe('the claims that others ask for', () => {
  it('look for everything after one that failed, though others are named', async () => {
    const claims = new AskedClaims(() => {});
    claims.wake(['one']);
    const failed = claims.answer(async () => {
      throw new Error('the database is away');
    });
    await assert.rejects(failed, /is away/);
    claims.wake(['two']);
    let named: readonly string[] = ['none'];
    await claims.answer(async (asked) => {
      named = asked;
      return { isMoreDue: false, isAllTaken: true };
    });
    assert.deepEqual(named, []);
  });
});
