import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { STATUS_REASONS } from '#payment-requests/model/statuses.ts';
import { OUTCOME_NAMES, planSimulation, type Step } from '#sandbox/outcomes.ts';

const success: Step = { afterSeconds: 10, action: 'SUCCEED' };
const decline: Step = { afterSeconds: 10, action: 'REFUSE', reasonCode: 'PAYER_DECLINED' };
const accept: Step = { afterSeconds: 5, action: 'ACCEPT' };
const expiry: Step = { afterSeconds: 10, action: 'EXPIRE' };

describe('the simulator’s table (contract §8)', () => {
  const rows: readonly [string, readonly Step[]][] = [
    ['depositSubmit', [success]],
    ['depositSubmit:0', [{ afterSeconds: 0, action: 'SUCCEED' }]],
    ['depositSubmit:1', [{ afterSeconds: 1, action: 'SUCCEED' }]],
    ['depositSubmit:007', [{ afterSeconds: 7, action: 'SUCCEED' }]],
    ['depositSubmit:3600', [{ afterSeconds: 3_600, action: 'SUCCEED' }]],
    ['depositDecline', [decline]],
    ['depositExpire', [expiry]],
    ['depositProcessing', [accept, success]],
    ['depositProcessingFail', [accept, decline]],
    ['depositLate', [expiry, { afterSeconds: 20, action: 'SUCCEED_LATE' }]],
    ['depositDuplicate', [success]],
    ['depositBadSignature', [success]],
    ['depositNoWebhook', [success]],
    ['depositDecline:5', [{ ...decline, afterSeconds: 5 }]],
    ['depositExpire:1', [{ ...expiry, afterSeconds: 1 }]],
    [
      'depositProcessing:1',
      [
        { ...accept, afterSeconds: 0.5 },
        { ...success, afterSeconds: 1 },
      ],
    ],
    [
      'depositLate:20',
      [
        { ...expiry, afterSeconds: 20 },
        { afterSeconds: 40, action: 'SUCCEED_LATE' },
      ],
    ],
    ['depositDuplicate:0', [{ ...success, afterSeconds: 0 }]],
    [
      'depositFail:SUSPECTED_FRAUD:3600',
      [{ afterSeconds: 3_600, action: 'REFUSE', reasonCode: 'SUSPECTED_FRAUD' }],
    ],
  ];
  for (const [name, steps] of rows) {
    it(`plans ${name}`, () => {
      assert.deepEqual(planSimulation(name), { kind: 'STEPS', steps });
    });
  }

  for (const code of Object.keys(STATUS_REASONS)) {
    const isOurs = code === 'LINK_EXPIRED' || code === 'CANCELLED_BY_MERCHANT';
    it(`${isOurs ? 'refuses' : 'plans'} depositFail:${code}`, () => {
      const simulation = planSimulation(`depositFail:${code}`);
      if (isOurs) return assert.equal(simulation.kind, 'FAULT');
      assert.deepEqual(simulation, {
        kind: 'STEPS',
        steps: [{ afterSeconds: 10, action: 'REFUSE', reasonCode: code }],
      });
    });
  }

  for (const [status, code] of [
    ['400', 'VALIDATION_ERROR'],
    ['401', 'ACCESS_TOKEN_EXPIRED'],
    ['403', 'MERCHANT_SUSPENDED'],
    ['409', 'DUPLICATE_MERCHANT_TRANSACTION_ID'],
    ['429', 'RATE_LIMITED'],
    ['500', 'INTERNAL_ERROR'],
    ['503', 'TEMPORARILY_UNAVAILABLE'],
  ] as const) {
    it(`lets createError:${status} answer ${code}`, () => {
      assert.deepEqual(planSimulation(`createError:${status}`), { kind: 'PROBLEM', code });
    });
  }

  for (const name of [
    'depositSubmit:',
    'depositSubmit:3601',
    'depositSubmit:9999',
    'depositSubmit:10000',
    'depositSubmit:-1',
    'depositSubmit:+1',
    'depositSubmit:1.5',
    'depositSubmit:1e2',
    'depositSubmit:0x10',
    'depositSubmit: 5',
    'depositSubmit:5 ',
    'depositSubmit:ten',
    'depositSubmit:5:5',
    'depositSubmit:٣',
    'depositFail',
    'depositFail:',
    'depositFail:insufficient_funds',
    'depositFail:INSUFFICIENT_FUNDS ',
    'depositFail:NO_SUCH_CODE',
    'depositFail:toString',
    'depositDecline:',
    'depositDecline:3601',
    'depositFail:5',
    'depositFail:SUSPECTED_FRAUD:',
    'depositFail:SUSPECTED_FRAUD:3601',
    'depositFail:SUSPECTED_FRAUD:1:1',
    'depositProcessingFail:PAYER_DECLINED',
    'depositLate:-1',
    'depositBadSignature:x',
    'depositNoWebhook:x',
    'createError',
    'createError:',
    'createError:404',
    'createError:0400',
    'createError:VALIDATION_ERROR',
  ]) {
    it(`faults ${JSON.stringify(name)} with a sentence that says what to write`, () => {
      const simulation = planSimulation(name);
      assert.equal(simulation.kind, 'FAULT');
      assert.ok(simulation.kind === 'FAULT' && /^Write [a-zA-Z]+.*\.$/.test(simulation.message));
    });
  }

  for (const name of [
    'Ada Lovelace',
    'depositsubmit',
    'DEPOSITSUBMIT',
    ' depositSubmit',
    'depositSubmit ',
    'depositSubmitted',
    'deposit',
    'xdepositSubmit',
    'createerror:400',
    ':depositSubmit',
    ':',
    '',
    'constructor',
    '__proto__:1',
  ]) {
    it(`leaves ${JSON.stringify(name)} an ordinary name`, () => {
      assert.deepEqual(planSimulation(name), { kind: 'NONE' });
    });
  }

  it('covers every name of the table in these tests', () => {
    const tested = new Set([...rows.map(([name]) => name), 'depositFail', 'createError']);
    assert.deepEqual(
      OUTCOME_NAMES.filter((name) => !tested.has(name)),
      [],
    );
    assert.equal(OUTCOME_NAMES.length, 11);
  });
});
