import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HistoryLine } from '../history/history-line.ts';
import { measureOutages } from './measure-outage.ts';

let calls = 0;
function create(atMs: number, outcome: 'ok' | 'refused' | 'unknown' = 'ok'): HistoryLine[] {
  calls += 1;
  const asked = {
    name: 'create',
    key: `key-${calls}`,
    transactionId: `tx-${calls}`,
    amountCents: 100,
    payerName: 'Ada',
  } as const;
  return [
    { kind: 'sent', call: calls, atMs: atMs - 1, merchantId: 'm', asked },
    { kind: 'answered', call: calls, atMs, outcome, status: null, code: null },
  ];
}
function read(atMs: number): HistoryLine[] {
  calls += 1;
  const asked = { name: 'read', id: 'p' } as const;
  return [
    { kind: 'sent', call: calls, atMs: atMs - 1, merchantId: 'm', asked },
    { kind: 'answered', call: calls, atMs, outcome: 'ok', status: 200, code: null },
  ];
}
const fault = (atMs: number, name: string): HistoryLine => ({
  kind: 'fault',
  atMs,
  fault: name,
  detail: '',
});

describe('the time until writes are back', () => {
  it('runs from the last acknowledged creation before a fault to the first after it', () => {
    const lines = [create(1_000), [fault(1_500, 'kill')], create(18_000), create(18_200)].flat();
    assert.deepEqual(measureOutages(lines), [{ fault: 'kill', ms: 17_000 }]);
  });

  it('counts a creation that the old leader still acknowledged as no end', () => {
    const lines = [create(1_000), [fault(1_500, 'kill')], create(1_600), create(18_000)].flat();
    assert.deepEqual(measureOutages(lines), [{ fault: 'kill', ms: 16_400 }]);
  });

  it('ends with no read, no refusal and no unknown outcome', () => {
    const others = [read(2_000), create(3_000, 'refused'), create(4_000, 'unknown')].flat();
    const lines = [...create(1_000), fault(1_500, 'kill'), ...others, ...create(9_000)];
    assert.deepEqual(measureOutages(lines), [{ fault: 'kill', ms: 8_000 }]);
  });

  it('counts for each fault', () => {
    const first = [create(1_000), [fault(1_500, 'kill')], create(11_000)].flat();
    const second = [[fault(20_000, 'freeze')], create(41_000)].flat();
    assert.deepEqual(measureOutages([...first, ...second]), [
      { fault: 'kill', ms: 10_000 },
      { fault: 'freeze', ms: 30_000 },
    ]);
  });

  it('has no end when nothing was acknowledged after the fault', () => {
    assert.deepEqual(measureOutages([...create(1_000), fault(2_000, 'kill')]), [
      { fault: 'kill', ms: Infinity },
    ]);
  });
});
