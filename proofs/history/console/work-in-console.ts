import { setTimeout as wait } from 'node:timers/promises';
import type { KnownPayment } from '../known-payments.ts';
import type { Random } from '../random.ts';
import { drawStep, type Step } from './draw-step.ts';
import type { Person, PersonOptions, SentForm } from './person.ts';
import { readDeliveries, readHidden, readStatus } from './read-page.ts';
import { signIn } from './sign-in.ts';

export interface ConsoleWork extends PersonOptions {
  readonly random: Random;
  /** Unique in the run. */
  readonly name: string;
  readonly pauseMs: number;
  /** A page of this merchant must not be shown. */
  readonly otherMerchantId: string;
}

/** Payment requests of this person's forms that no payer decides: most others are soon paid. */
type Open = KnownPayment[];
const IS_DECIDED = /^deposit/;
/** Older ones are left to other callers; the bound keeps memory small in a long run. */
const MOST_OPEN = 20;

/** Works in the console until the signal: each person signs in, takes some steps and signs out. */
export async function workInConsole(work: ConsoleWork): Promise<void> {
  const { random, name, ended, pauseMs } = work;
  let person: Person | null = null;
  const open: Open = [];
  for (let number = 1; !ended.aborted; number += 1) {
    const step = drawStep(random);
    const label = `${name}.${number}`;
    if (person === null) person = await signIn(work, `Person ${label}`, step.isLinkTriedAgain);
    else if (!(await takeStep(work, person, step, { label, open }))) person = null;
    await wait(pauseMs * step.pauseFactor, undefined, { signal: ended }).catch(() => {});
  }
}

/** @returns false: the person has signed out */
async function takeStep(
  work: ConsoleWork,
  person: Person,
  step: Step,
  { label, open }: { readonly label: string; readonly open: Open },
): Promise<boolean> {
  const { merchantId, otherMerchantId, payments } = work;
  const base = `/m/${merchantId}`;
  const list = `${base}/payment-requests`;
  // Refunds and webhooks are of paid ones.
  const ofPaid = step.name === 'refund' || step.name === 'redeliver';
  const own = step.name === 'cancel' ? open.shift() : undefined;
  const payment = own ?? payments.at(step.place, ofPaid ? 'paid' : 'all');
  switch (step.name) {
    case 'create':
      open.push(...(await create(work, person, step, label)));
      if (open.length > MOST_OPEN) open.shift();
      return true;
    case 'list':
      await person.open(list, { page: 'list' });
      return true;
    case 'overview':
      await person.open(`${base}/overview`, { page: 'overview' });
      return true;
    case 'stranger':
      await person.open(`/m/${otherMerchantId}/payment-requests`, { page: 'stranger' });
      return true;
    case 'sign-out':
      return signOut(work, person);
    default:
      if (payment) await actOn(work, person, payment, step);
      return true;
  }
}

/** @returns the payment request, if no payer decides it */
async function create(
  { merchantId }: ConsoleWork,
  person: Person,
  { amountCents, payerName }: Step,
  label: string,
): Promise<Open> {
  const path = `/m/${merchantId}/payment-requests/new`;
  const page = await person.open(path, { page: 'list' });
  const key = readHidden(page ?? '', 'form-key');
  if (key === '') return [];
  const created: Open = [];
  const transactionId = `form-${label}`;
  await person.send({
    asked: {
      name: 'console-create',
      person: person.name,
      key,
      transactionId,
      amountCents,
      payerName,
    },
    path,
    fields: {
      'form-key': key,
      amount: (amountCents / 100).toFixed(2),
      'payer.name': payerName,
      'payer.email': 'payer@example.com',
      merchantTransactionId: transactionId,
    },
    told(location) {
      const [, id = ''] = /payment-requests\/([^/]+)\/share-link/.exec(location) ?? [];
      if (!IS_DECIDED.test(payerName)) created.push({ id, amountCents, isPaid: false });
      // The form that was sent twice gets the answer of the first sending.
      return { paymentRequest: { id, amountCents, statuses: ['CREATED'] }, isReplay: true };
    },
  });
  return created;
}

async function signOut({ merchantId, leave }: ConsoleWork, person: Person): Promise<boolean> {
  const asked = { name: 'console-sign-out', person: person.name } as const;
  const outcome = await person.send({ asked, path: '/sign-out', fields: {} });
  const path = `/m/${merchantId}/overview`;
  if (outcome === 'ok') await person.tryEveryProcess(path);
  else leave(() => person.tryEveryProcess(path).then(() => true));
  return false;
}

async function actOn(
  { merchantId, payments }: ConsoleWork,
  person: Person,
  { id, amountCents }: KnownPayment,
  { name, share, place }: Step,
): Promise<void> {
  const path = `/m/${merchantId}/payment-requests/${id}`;
  const page = await person.open(path, { page: 'request', id });
  if (page === null) return;
  const status = readStatus(page);
  payments.learn({ id, amountCents, statuses: status === undefined ? [] : [status] });
  const form =
    name === 'cancel'
      ? cancellation(person, id, path)
      : name === 'redeliver'
        ? redelivery(person, id, path, { page, place })
        : name === 'refund'
          ? await refund(person, id, path, share)
          : null;
  if (form) await person.send(form);
}

function cancellation({ name: person }: Person, id: string, path: string): SentForm {
  const asked = { name: 'console-cancel', person, id } as const;
  return { asked, path: `${path}/cancel`, fields: { reason: 'OTHER', comment: '' } };
}

function redelivery(
  { name: person }: Person,
  id: string,
  path: string,
  { page, place }: { readonly page: string; readonly place: number },
): SentForm | null {
  const deliveries = readDeliveries(page);
  const delivery = deliveries[Math.floor(place * deliveries.length)];
  if (!delivery) return null;
  const { id: deliveryId, status } = delivery;
  const isEnded = status === 'SUCCEEDED';
  return {
    asked: { name: 'console-redeliver', person, id, deliveryId, isEnded },
    path: `${path}/deliveries/${deliveryId}/redeliver`,
    fields: {},
  };
}

async function refund(
  person: Person,
  id: string,
  path: string,
  share: number,
): Promise<SentForm | null> {
  const page = (await person.open(`${path}/refund`, { page: 'refund' })) ?? '';
  const [refundId, available] = [readHidden(page, 'form'), readHidden(page, 'available')];
  if (refundId === '' || available === '') return null;
  const amountCents = Math.max(1, Math.ceil(Number(available) * share * share));
  return {
    asked: { name: 'console-refund', person: person.name, id, refundId, amountCents },
    path: `${path}/refund`,
    fields: {
      form: refundId,
      available,
      choice: 'other',
      amount: (amountCents / 100).toFixed(2),
      reason: 'OTHER',
    },
    told: () => ({ refund: { id: refundId, paymentRequestId: id, amountCents } }),
  };
}
