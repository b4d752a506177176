import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { covers, grantScopes, SCOPES } from '#merchants/scopes.ts';

const FULL = 'payment_request/all';

describe('scopes', () => {
  it('payment_request/all covers each, any other only itself', () => {
    for (const held of SCOPES) {
      for (const scope of SCOPES) {
        assert.equal(covers([held], scope), held === FULL || held === scope, `${held} ${scope}`);
      }
    }
  });

  const TABLE: [string | undefined, string[], string[] | undefined][] = [
    [undefined, [FULL], [FULL]],
    [undefined, ['event/read'], ['event/read']],
    [FULL, [FULL], [FULL]],
    ['event/read', [FULL], ['event/read']],
    ['event/read webhook/manage', [FULL], ['event/read', 'webhook/manage']],
    ['event/read event/read', [FULL], ['event/read']],
    [FULL, ['payment_request/read', 'payment_request/write'], undefined],
    ['payment_request/write', ['payment_request/read'], undefined],
    ['event/read webhook/manage', ['event/read'], undefined],
    ['nothing', [FULL], undefined],
    ['', [FULL], undefined],
    ['event/read ', [FULL], undefined],
    ['event/read  webhook/manage', [FULL], undefined],
    ['EVENT/READ', [FULL], undefined],
  ];
  for (const [asked, held, granted] of TABLE) {
    it(`"${asked ?? 'nothing'}" asked by ${held} gives ${granted ?? 'a refusal'}`, () => {
      assert.deepEqual(grantScopes(asked, held), granted);
    });
  }
});
