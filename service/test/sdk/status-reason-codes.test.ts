import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { STATUS_REASON_CODES } from '@payment-requests/sdk';
import { STATUS_REASONS } from '#payment-requests/model/statuses.ts';

describe('the SDK', () => {
  it('names every reason of the service', () => {
    assert.deepEqual([...STATUS_REASON_CODES].sort(), Object.keys(STATUS_REASONS).sort());
  });
});
