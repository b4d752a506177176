import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
  type TransferLink,
} from '../support/bank/bank-production.ts';
import { writeStatement } from '../support/bank/write-statement.ts';

type Kind = 'camt.052' | 'camt.053' | 'camt.054';
const KINDS: readonly Kind[] = ['camt.052', 'camt.053', 'camt.054'];
/** Each request has an order and references of its own; a file holds the entries of all. */
const REQUESTS = 20;

let bank: BankProduction;
before(async () => {
  bank = await startBankProduction();
});
after(() => bank.stop());

interface Shuffle {
  readonly order: readonly Kind[];
  readonly withReference: readonly Kind[];
}

const shuffles = fc.array(
  fc.record({
    order: fc.shuffledSubarray([...KINDS], { minLength: 3 }),
    withReference: fc.subarray([...KINDS]),
  }),
  { minLength: REQUESTS, maxLength: REQUESTS },
);

function entryOf({ withReference }: Shuffle, { id, reference }: TransferLink, kind: Kind) {
  const bankReference = withReference.includes(kind) ? { bankReference: `B-${id}` } : {};
  return { amountCents: 10_000, reference, ...bankReference };
}

const send = (kind: Kind, entries: Parameters<typeof writeStatement>[0]['entries'] = []) =>
  bank.deliver(writeStatement({ iban: HARBOUR_IBAN, entries }, { kind }));

describe('money that several messages carry', () => {
  it('is one payment in 200 shuffles of a day, with and without bank references', async () => {
    await fc.assert(
      fc.asyncProperty(shuffles, async (all) => {
        const shown = [];
        for (const shuffle of all) shown.push({ shuffle, link: await bank.show() });
        for (const step of [0, 1, 2]) {
          for (const kind of KINDS) {
            const due = shown.filter(({ shuffle }) => shuffle.order[step] === kind);
            const entries = due.map(({ shuffle, link }) => entryOf(shuffle, link, kind));
            if (entries.length > 0) await send(kind, entries);
          }
        }
        for (const { link } of shown) assert.equal(await bank.statusOf(link.id), 'PAID');
        assert.deepEqual(await bank.openCases(), []);
      }),
      { numRuns: 10 },
    );
    const ledger = await bank.ledger();
    assert.ok(ledger.length >= 200 && ledger.every((entry) => entry === 'PAYMENT 100.00'));
  });

  it('is two payments where the statement of the day lists it twice', async () => {
    const { id, reference } = await bank.show();
    const entry = { amountCents: 10_000, reference };
    await send('camt.054', [entry, entry]);
    assert.deepEqual(await bank.openCases(), []);
    await send('camt.053', [entry, entry]);
    assert.equal(await bank.statusOf(id), 'PAID');
    assert.deepEqual(
      (await bank.openCases()).map(({ kind }) => kind),
      ['SECOND_PAYMENT'],
    );
    await send('camt.053', [entry, entry]);
    assert.equal((await bank.openCases()).length, 1);
  });

  it('adds to no sum of parts before the statement of the day has it', async () => {
    const { id, reference } = await bank.show();
    await send('camt.054', [{ amountCents: 6_000, reference }]);
    assert.equal(await bank.receivedCents(id), 0);
    await send('camt.053', [{ amountCents: 6_000, reference }]);
    assert.equal(await bank.receivedCents(id), 6_000);
  });
});
