import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeConnectFault } from '#database/connection/describe-connect-fault.ts';

/** An error as PostgreSQL reports it. */
function reported(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

describe('a start that meets a PostgreSQL in trouble', () => {
  it('waits for room on its disk, for memory and for a free connection', () => {
    for (const [code, reason] of [
      ['53100', 'its disk is full'],
      ['53200', 'it has no memory left'],
      ['53300', 'it has no connection left'],
    ] as const) {
      const fault = describeConnectFault(reported(code, 'could not write init file'));
      assert.deepEqual(fault, {
        sentence: `The database cannot be used: ${reason} (${code}).`,
        canHeal: true,
      });
    }
  });

  it('ends at a fault that a person must correct', () => {
    const fault = describeConnectFault(reported('28P01', 'password authentication failed'));
    assert.equal(fault?.canHeal, false);
  });
});
