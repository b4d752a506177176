import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { actorForMerchant } from '#audit/actor-for-merchant.ts';

describe('the actor of an audit entry, for its merchant', () => {
  it('is the name of a person, also with commas and spaces in the subject', () => {
    for (const subject of ['ada', 'CN=Ada,OU=shop', 'CN=Ada, OU=shop, O=Books', 'Ada (1, 2)']) {
      const actor = `console (Ada Byron, https://id.example ${subject})`;
      assert.equal(actorForMerchant(actor), 'Ada Byron');
    }
    assert.equal(actorForMerchant('console (Ada Byron, by link)'), 'Ada Byron');
    assert.equal(actorForMerchant('console (Byron, Ada, https://id.example ada)'), 'Byron, Ada');
  });

  it('is the operator for a command, without the account that ran it', () => {
    assert.equal(actorForMerchant('payreq (root)'), 'operator');
    assert.equal(actorForMerchant('api'), 'api');
  });
});
