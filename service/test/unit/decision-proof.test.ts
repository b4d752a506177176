import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { decisionProof, isDecisionProof } from '#payment-requests/network/decision-proof.ts';

const ID = '0198c0de-0000-7000-8000-000000000001';
const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)];

describe('the proof of a decision', () => {
  it('holds for its payment request alone', () => {
    const key = { current: first, previous: null };
    const proof = decisionProof(key, ID);
    assert.ok(isDecisionProof(key, ID, proof));
    assert.ok(!isDecisionProof(key, ID.replace(/1$/, '2'), proof));
    for (const text of ['', 'refused', `${proof}AA`, proof.slice(1)]) {
      assert.ok(!isDecisionProof(key, ID, text), text);
    }
  });

  it('holds through a rotation of SECRETS_KEY, until the previous key is gone', () => {
    const proof = decisionProof({ current: first, previous: null }, ID);
    assert.ok(isDecisionProof({ current: second, previous: first }, ID, proof));
    assert.ok(!isDecisionProof({ current: second, previous: third }, ID, proof));
  });
});
