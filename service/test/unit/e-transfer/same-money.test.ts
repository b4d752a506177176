import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MoneyIdentity } from '#e-transfer/bank-transfer/entries/model/movement.ts';
import { rankOf } from '#e-transfer/bank-transfer/entries/stage-payments.ts';
import { findSameMoney } from '#e-transfer/bank-transfer/matching/same-money.ts';

const PAYMENT: MoneyIdentity = {
  account: 'DE02120300000000202051',
  direction: 'CREDIT',
  amountCents: 5_000,
  currency: 'EUR',
  bookingDate: '2026-03-01',
  creditorReferences: ['RF18000000000539007547034'],
  endToEndHash: null,
  bankReference: null,
  entryReference: null,
  batchReference: null,
};
const NO_CLAIMS = { statement: new Set<string>(), entry: new Set<string>() };

const payment = (changes: Partial<MoneyIdentity>): MoneyIdentity => ({ ...PAYMENT, ...changes });
const movement = (id: string, changes: Partial<MoneyIdentity>) => ({ id, ...payment(changes) });

describe('the same money in two messages', () => {
  it('is found by the EndToEndId among equal payments', () => {
    const known = [movement('plain', {}), movement('named', { endToEndHash: 'aa' })];
    const found = findSameMoney(payment({ endToEndHash: 'aa' }), known, NO_CLAIMS);
    assert.equal(found?.id, 'named');
  });

  it('is found without an EndToEndId before money that has one', () => {
    const known = [movement('named', { endToEndHash: 'aa' }), movement('plain', {})];
    assert.equal(findSameMoney(PAYMENT, known, NO_CLAIMS)?.id, 'plain');
  });

  it('may have an EndToEndId in one of them alone', () => {
    const known = [movement('plain', {})];
    const found = findSameMoney(payment({ endToEndHash: 'aa' }), known, NO_CLAIMS);
    assert.equal(found?.id, 'plain');
  });

  it('is found by the EndToEndId also inside a batch', () => {
    const batch = { batchReference: 'BATCH', creditorReferences: [] };
    const known = [movement('plain', batch), movement('named', { ...batch, endToEndHash: 'aa' })];
    const found = findSameMoney(payment({ ...batch, endToEndHash: 'aa' }), known, NO_CLAIMS);
    assert.equal(found?.id, 'named');
  });
});

describe('the order in which payments find their money', () => {
  it('puts the certain before the vague', () => {
    const unnamed = { creditorReferences: [] };
    const inOrder = [
      payment({ bankReference: 'B' }),
      payment({ bankReference: 'B', ...unnamed }),
      payment({ entryReference: 'E' }),
      payment({ batchReference: 'S', endToEndHash: 'aa' }),
      payment({ batchReference: 'S' }),
      payment({ endToEndHash: 'aa' }),
      payment({}),
      payment({ endToEndHash: 'aa', ...unnamed }),
      payment(unnamed),
    ];
    const ranks = inOrder.map(rankOf);
    assert.deepEqual(
      ranks,
      [...ranks].sort((one, other) => one - other),
    );
    assert.equal(new Set(ranks).size, ranks.length);
  });

  it('ignores the EndToEndId of a payment that the bank names', () => {
    const named = payment({ bankReference: 'B', endToEndHash: 'aa' });
    assert.equal(rankOf(named), rankOf(payment({ bankReference: 'B' })));
  });
});
