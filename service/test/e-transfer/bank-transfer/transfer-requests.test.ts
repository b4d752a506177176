import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { lockShownRequests } from '#e-transfer/bank-transfer/matching/request-store.ts';
import { isOurReference } from '#e-transfer/bank-transfer/references/creditor-reference.ts';
import {
  findTransferRequestOf,
  markTransfersAnnounced,
} from '#e-transfer/bank-transfer/request-store.ts';
import type { TransferRequest } from '#e-transfer/bank-transfer/transfer-request.ts';
import {
  markTransferPaid,
  setTransferReceived,
} from '../../support/bank-transfer/change-transfer.ts';
import { isOurQrReference } from '../../support/bank-transfer/our-qr-reference.ts';
import {
  IBANS,
  startTransferNetwork,
  type TransferNetwork,
  transferRequest,
} from '../../support/bank-transfer/transfer-network.ts';

let bank: TransferNetwork;

before(async () => {
  bank = await startTransferNetwork();
});
after(() => bank.stop());

const signal = () => new AbortController().signal;

async function stored(paymentRequestId: string): Promise<TransferRequest> {
  const found = await findTransferRequestOf(bank.database.db, paymentRequestId);
  assert.ok(found);
  return found;
}

async function created(changes: Parameters<typeof transferRequest>[1] = {}) {
  const request = transferRequest(await bank.addAccount(), changes);
  await bank.create(request);
  return request;
}

const SUCCESS = {
  state: 'SUCCEEDED',
  amountCents: 10_000,
  currency: 'EUR',
  institution: 'Payer Bank',
  networkReference: 'BANK-1',
  completedAt: new Date('2026-03-02T09:00:00.000Z'),
} as const;

describe('a request at the bank-transfer network', () => {
  it('keeps address, reference and account however often it is sent', async () => {
    const account = await bank.addAccount();
    const request = transferRequest(account);
    const path = await bank.create(request);
    assert.match(path, /^\/transfer\/[\w-]{22}$/);
    const first = await stored(request.paymentRequestId);
    const later = await bank.addAccount(IBANS.austrian, 'Harbour Books Wien');
    assert.equal(await bank.create({ ...request, creditorAccount: later }), path);
    const second = await stored(request.paymentRequestId);
    assert.equal(second.reference, first.reference);
    assert.deepEqual(second.account, { ...account, address: null, etransferAddress: null });
    assert.equal(second.version, first.version);
  });

  it('takes over amount, message and expiry while it is open, and counts a version', async () => {
    const request = await created();
    const { version } = await stored(request.paymentRequestId);
    const expiresAt = new Date('2026-03-09T12:00:00.000Z');
    await bank.create({ ...request, amountCents: 5_000, displayMessage: 'One', expiresAt });
    const changed = await stored(request.paymentRequestId);
    assert.equal(changed.version, version + 1);
    assert.deepEqual(
      [changed.amountCents, changed.displayMessage, changed.expiresAt],
      [5_000, 'One', expiresAt],
    );
  });

  it('has a reference of ours that nothing else has', async () => {
    const references = new Set<string>();
    for (let time = 0; time < 20; time++) {
      const { reference } = await stored((await created()).paymentRequestId);
      assert.ok(isOurReference(reference), reference);
      references.add(reference);
    }
    assert.equal(references.size, 20);
  });

  it('has a QR reference where the account is a QR-IBAN', async () => {
    const request = transferRequest(await bank.addAccount(IBANS.swissQr), { currency: 'CHF' });
    await bank.create(request);
    const { reference } = await stored(request.paymentRequestId);
    assert.ok(isOurQrReference(reference), reference);
  });

  it('keeps its page when the merchant has no account any more', async () => {
    const request = transferRequest(await bank.addAccount());
    const path = await bank.create(request);
    const changed = { ...request, creditorAccount: null, displayMessage: 'Later' };
    assert.equal(await bank.create(changed), path);
    assert.equal((await stored(request.paymentRequestId)).displayMessage, 'Later');
  });

  it('is refused for a merchant without an account', async () => {
    await assert.rejects(bank.create(transferRequest(null)), /mer_test has no account/);
  });

  it('is found by its reference', async () => {
    const { paymentRequestId } = await created();
    const { reference } = await stored(paymentRequestId);
    const found = await lockShownRequests(bank.database.db, [reference, 'RF00']);
    assert.deepEqual(
      found.map((each) => each.paymentRequestId),
      [paymentRequestId],
    );
  });

  it('cannot keep money away once it is cancelled, and never shows an account again', async () => {
    const request = await created();
    const { network } = bank;
    const cancellation = await network.cancelRequest(request.paymentRequestId, signal());
    assert.equal(cancellation, 'CANNOT_PREVENT');
    const cancelled = await stored(request.paymentRequestId);
    await bank.create({ ...request, amountCents: 5_000, displayMessage: 'Late' });
    // Nothing is written any more: state, amount, message and version stay.
    assert.deepEqual(await stored(request.paymentRequestId), cancelled);
    assert.equal(cancelled.state, 'CANCELLED');
    const state = await network.askState(request.paymentRequestId, signal());
    assert.deepEqual(state, { state: 'OPEN' });
  });

  it('answers what was reported as paid, also after it was cancelled', async () => {
    const { paymentRequestId } = await created();
    const { network, database } = bank;
    await network.cancelRequest(paymentRequestId, signal());
    assert.equal((await markTransferPaid(database.db, paymentRequestId, SUCCESS)).length, 1);
    assert.deepEqual(await network.askState(paymentRequestId, signal()), SUCCESS);
    assert.equal(await network.cancelRequest(paymentRequestId, signal()), 'TOO_LATE');
    const again = { ...SUCCESS, networkReference: 'BANK-2' };
    assert.deepEqual(await markTransferPaid(database.db, paymentRequestId, again), []);
    assert.deepEqual(await network.askState(paymentRequestId, signal()), SUCCESS);
  });

  it('keeps the sum that has arrived and whether a bank announced more', async () => {
    const { paymentRequestId } = await created();
    const { db } = bank.database;
    assert.equal((await markTransfersAnnounced(db, [paymentRequestId])).length, 1);
    assert.deepEqual(await markTransfersAnnounced(db, [paymentRequestId]), []);
    assert.ok((await stored(paymentRequestId)).announcedAt);
    assert.equal((await setTransferReceived(db, paymentRequestId, 4_000)).length, 1);
    assert.deepEqual(await setTransferReceived(db, paymentRequestId, 4_000), []);
    const { receivedCents, announcedAt } = await stored(paymentRequestId);
    assert.deepEqual([receivedCents, announcedAt], [4_000, null]);
  });

  it('is unknown when the network never heard of it', async () => {
    const id = randomUUID();
    assert.equal(await bank.network.cancelRequest(id, signal()), 'UNKNOWN');
    assert.deepEqual(await bank.network.askState(id, signal()), { state: 'UNKNOWN' });
  });
});
