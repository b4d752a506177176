import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const INSERT = {
  name: '',
  text: `INSERT INTO rate_limit_windows (merchant_id, kind, second, taken)
         VALUES ($1, $2, service_now(), 1)`,
};

describe('a transaction in which a statement failed', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase('sandbox');
  });
  after(() => test.drop());

  it('fails, though its work took no notice', async () => {
    const result = test.db.transaction(async (tx) => {
      await tx.query(INSERT, ['mer_1', 'reads']);
      await tx.query(INSERT, ['mer_1', 'no such kind']).catch(() => {});
      return 'done';
    });
    await assert.rejects(result, /rolled back/);
    assert.deepEqual(await test.sql('SELECT * FROM rate_limit_windows'), []);
    await test.db.transaction((tx) => tx.query(INSERT, ['mer_1', 'reads']));
    assert.equal((await test.sql('SELECT * FROM rate_limit_windows')).length, 1);
  });
});
