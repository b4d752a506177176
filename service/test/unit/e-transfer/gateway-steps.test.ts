import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { STEPS, stepOf } from '#e-transfer/simulated-network/gateway-steps.ts';

const NOBODY = null;
const CHOSEN = { institution: 'kestrel', username: null, refusalReason: null };
const SIGNED_IN = { ...CHOSEN, username: 'approve' };
const REFUSED = { ...SIGNED_IN, refusalReason: 'INSUFFICIENT_FUNDS' } as const;

describe('the step of a payer at the gateway', () => {
  it('follows the payment first, then the session', () => {
    for (const state of ['CONFIRMED', 'ACCEPTED', 'SETTLED', 'REFUSED', 'CANCELLED'] as const) {
      for (const session of [NOBODY, CHOSEN, SIGNED_IN, REFUSED]) {
        assert.equal(stepOf({ state, isExpired: false }, session), 'OVER');
      }
    }
    const open = { state: 'OPEN', isExpired: false } as const;
    assert.equal(stepOf(open, NOBODY), 'CHOOSE');
    assert.equal(stepOf(open, CHOSEN), 'SIGN_IN');
    assert.equal(stepOf(open, SIGNED_IN), 'CONFIRM');
    assert.equal(stepOf(open, REFUSED), 'REFUSED');
    for (const session of [NOBODY, CHOSEN, SIGNED_IN, REFUSED]) {
      assert.equal(stepOf({ ...open, isExpired: true }, session), 'OVER');
      assert.equal(stepOf({ state: 'ASKED', isExpired: false }, session), 'ASKING');
      assert.equal(stepOf({ state: 'ASKED', isExpired: true }, session), 'OVER');
    }
  });

  it('allows only actions of pages that it has, and belongs on one of them', () => {
    for (const { home, pages, actions } of Object.values(STEPS)) {
      for (const action of actions) assert.ok(pages.includes(action), action);
      assert.ok(home === null ? pages.length === 0 : pages.includes(home));
    }
  });

  it('lets nobody confirm but who has signed in', () => {
    const confirming = Object.entries(STEPS).filter(([, { actions }]) =>
      actions.includes('confirm'),
    );
    assert.deepEqual(
      confirming.map(([step]) => step),
      ['CONFIRM'],
    );
  });
});
