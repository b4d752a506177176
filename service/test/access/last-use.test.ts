import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { readCredentials } from '#merchants/credentials/list.ts';
import { rotateCredentials } from '#merchants/credentials/rotate.ts';
import type { OnboardedMerchant } from '#merchants/onboard-merchant.ts';
import { eventually } from '../support/eventually.ts';
import { createDeployment, type Deployment, type Process } from './start-access.ts';

const HOUR_MS = 3_600_000;
const COUNT_WRITES = `CREATE TABLE uses_log (credential_id uuid, change text);
  CREATE FUNCTION log_use() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO uses_log VALUES (new.credential_id, tg_op); RETURN new; END $$;
  CREATE TRIGGER log_use AFTER INSERT OR UPDATE ON credential_uses
    FOR EACH ROW EXECUTE FUNCTION log_use()`;

describe('the last use of passwords and API keys', () => {
  let deployment: Deployment;
  let process: Process;
  let merchant: OnboardedMerchant;
  before(async () => {
    deployment = await createDeployment();
    process = await deployment.startProcess();
  });
  beforeEach(async () => {
    merchant = await deployment.onboard();
  });
  after(() => deployment.stop());

  const needs = () => ({ ...deployment, db: deployment.database.db });
  const list = () => readCredentials(needs(), merchant.merchantId);
  const uses = async () => {
    const { credentials, apiKeys } = await list();
    return {
      passwords: credentials[0]?.passwords.map((each) => each.lastUseDateTime),
      apiKeys: apiKeys.map((each) => each.lastUseDateTime),
    };
  };
  const now = () => deployment.clock.now().toISOString();
  const call = async () => {
    const answer = await process.read(merchant.apiKey, await process.token(merchant));
    assert.equal(answer.status, 200);
  };

  it('is unknown before a call, and kept after it', async () => {
    assert.deepEqual(await uses(), { passwords: [null], apiKeys: [null] });
    await call();
    const at = now();
    await eventually(async () =>
      isDeepStrictEqual(await uses(), { passwords: [at], apiKeys: [at] }),
    );
  });

  it('is written once an hour, by all processes together', async () => {
    await deployment.database.sql(COUNT_WRITES);
    await call();
    const first = now();
    await eventually(async () => (await uses()).apiKeys[0] === first);
    deployment.clock.advance(HOUR_MS / 2);
    await call();
    const other = await deployment.startProcess();
    await other.read(merchant.apiKey, await other.token(merchant));
    deployment.clock.advance(HOUR_MS / 2);
    await call();
    const second = now();
    const both = { passwords: [second], apiKeys: [second] };
    await eventually(async () => isDeepStrictEqual(await uses(), both));
    const { merchantId } = merchant;
    const log = `SELECT change FROM uses_log WHERE credential_id IN (
      SELECT id FROM api_keys WHERE merchant_id = $1)`;
    const written = await deployment.database.sql(log, [merchantId]);
    assert.deepEqual(written, [{ change: 'INSERT' }, { change: 'UPDATE' }]);
  });

  it('tells the old key from the new key during an overlap', async () => {
    await call();
    const old = now();
    const { merchantId } = merchant;
    await eventually(async () => (await uses()).apiKeys[0] === old);
    deployment.clock.advance(1_000);
    const rotated = await rotateCredentials(needs(), { merchantId, overlapHours: 24 });
    deployment.clock.advance(HOUR_MS);
    const answer = await process.read(rotated.apiKey, await process.token(rotated));
    assert.equal(answer.status, 200);
    const fresh = now();
    const both = { passwords: [fresh, old], apiKeys: [fresh, old] };
    await eventually(async () => isDeepStrictEqual(await uses(), both));
  });

  it('does not count a refused password or an ended key', async () => {
    const wrong = { ...merchant, password: `${merchant.password.slice(0, -1)}_` };
    await process.askToken(wrong);
    const { merchantId } = merchant;
    await rotateCredentials(needs(), { merchantId, overlapHours: 0 });
    await process.askToken(merchant);
    await process.call('/v1/read', { headers: { 'x-api-key': merchant.apiKey } });
    // A use by another merchant's calls is written after those above, were they noted.
    merchant = await deployment.onboard();
    await call();
    await eventually(async () => (await uses()).apiKeys[0] !== null);
    const { apiKeys } = await readCredentials(needs(), merchantId);
    assert.deepEqual(
      apiKeys.map(({ lastUseDateTime }) => lastUseDateTime),
      [null, null],
    );
  });
});
