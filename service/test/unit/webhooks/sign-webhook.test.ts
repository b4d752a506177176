import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { signWebhook } from '#webhooks/https/sign-webhook.ts';

const MESSAGE = { id: 'msg_1', timestamp: 1_700_000_000, body: '{"amount":1.00}' };
/** More than the keys that are remembered. */
const MANY = 1_002;

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** The scheme of Standard Webhooks 1.0, written a second time. */
function expected(secret: string, { id, timestamp, body } = MESSAGE): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
  return `v1,${signature.digest('base64')}`;
}

describe('the signature of a webhook', () => {
  it('is that of Standard Webhooks for id, instant and body', () => {
    const secret = newSecret();
    assert.equal(signWebhook([secret], MESSAGE), expected(secret));
    for (const other of [{ id: 'msg_2' }, { timestamp: 1_700_000_001 }, { body: '{}' }]) {
      const message = { ...MESSAGE, ...other };
      assert.equal(signWebhook([secret], message), expected(secret, message));
      assert.notEqual(signWebhook([secret], message), expected(secret));
    }
  });

  it('has a part for each live secret, in their order', () => {
    const [one, other] = [newSecret(), newSecret()];
    assert.equal(signWebhook([one, other], MESSAGE), `${expected(one)} ${expected(other)}`);
    assert.equal(signWebhook([], MESSAGE), '');
  });

  it('stays right when more secrets sign than keys are remembered', () => {
    const secrets = Array.from({ length: MANY }, newSecret);
    for (const secret of [...secrets, ...secrets.slice(0, 3)]) {
      assert.equal(signWebhook([secret], MESSAGE), expected(secret));
    }
  });
});
