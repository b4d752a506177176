import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../commands/run-cli.ts';
import { type BankProduction, HARBOUR_IBAN } from '../support/bank/bank-production.ts';
import type { EntryOptions } from '../support/bank/statement-options.ts';
import { writeRejections } from '../support/bank/write-rejections.ts';
import { writeStatement } from '../support/bank/write-statement.ts';
import { eventually } from '../support/eventually.ts';
import { centsOf, readCase, readCases, readRefunds } from './read-money.ts';
import { type Money, type Refund, RequestModel } from './request-model.ts';
import type { Seeded } from './seeded.ts';

export interface Scene {
  readonly bank: BankProduction;
  readonly random: Seeded;
  readonly requests: RequestModel[];
}

/** The steps in words; null: the step was not possible. */
export type Act = (scene: Scene) => Promise<string | null>;

export const PAYER_IBAN = 'NL91ABNA0417164300';
const MOST_REQUESTS = 3;
/** Every request of a seed is over after this time. */
const OPEN_SECONDS = 1_800;
let names = 0;

export const nameOf = ({ requests }: Scene, model: RequestModel): string =>
  `request ${requests.indexOf(model) + 1}`;

export async function deliver({ bank }: Scene, kind: 'camt.053' | 'camt.054', entry: EntryOptions) {
  const date = bank.service.clock.now().toISOString().slice(0, 10);
  const file = writeStatement({ iban: HARBOUR_IBAN, date, entries: [entry] }, { kind });
  const { state, reason } = await bank.deliver(file);
  assert.equal(state, 'COMPLETE', String(reason));
}

export const create: Act = async (scene) => {
  const { bank, random, requests } = scene;
  if (requests.length >= MOST_REQUESTS) return null;
  const cents = 500 + random.below(1_000);
  const expiresAt = new Date(bank.service.clock.now().getTime() + OPEN_SECONDS * 1_000);
  const expiryDateTime = expiresAt.toISOString();
  const { id, reference } = await bank.show({ amount: cents / 100, expiryDateTime });
  requests.push(new RequestModel({ id, reference, askedCents: cents }));
  return `create request ${requests.length} of ${cents}`;
};

/** An amount that no other money of the payment request has, so that each refund names its own. */
function drawCents({ random }: Scene, model: RequestModel): number {
  const { askedCents, availableCents, waitingCents } = model;
  const rest = askedCents - availableCents - waitingCents;
  const drawn = random.pick([
    ...(rest > 0 ? [rest, rest, rest] : []),
    1 + random.below(askedCents),
    1 + random.below(askedCents),
    askedCents,
    askedCents + 1 + random.below(askedCents),
  ]);
  const isTaken = (cents: number) => model.money.some((each) => each.cents === cents);
  let cents = drawn ?? askedCents;
  while (isTaken(cents)) cents += 1;
  return cents;
}

/** The bank tells of the money once, twice, or first without its own reference. */
export const pay: Act = async (scene) => {
  const { random, requests } = scene;
  const model = random.pick(requests);
  // Which waiting money the network's report names then is no promise of the contract.
  const isMixed = model?.money.some(({ isGiven }) => isGiven) && model.waitingCents > 0;
  if (!model || isMixed) return null;
  const cents = drawCents(scene, model);
  names += 1;
  const name = `MODEL-${names}`;
  const { reference } = model;
  const money = { amountCents: cents, reference, endToEndId: name, debtorIban: PAYER_IBAN };
  const named = { ...money, bankReference: name };
  const way = random.below(4);
  if (way === 0) await deliver(scene, 'camt.054', money);
  if (way === 1 || way === 2) await deliver(scene, 'camt.054', named);
  if (way !== 1) await deliver(scene, 'camt.053', named);
  model.arrive(name, cents, way === 1);
  return `pay ${nameOf(scene, model)} ${cents}, way ${way}`;
};

/** Details without amounts: an operator gives the money to the payment request that they name. */
export const payUnclear: Act = async (scene) => {
  const { bank, random, requests } = scene;
  const model = random.pick(requests.filter(({ status }) => status !== 'PAID'));
  if (!model) return null;
  const cents = drawCents(scene, model);
  names += 1;
  const name = `MODEL-${names}`;
  const detail = { amountCents: null, debtorIban: PAYER_IBAN };
  const payments = [{ ...detail, reference: model.reference }, detail];
  await deliver(scene, 'camt.053', { amountCents: cents, bankReference: name, payments });
  const found = await readCase(bank, 'networkReference', name);
  assert.ok(found, `the case of ${name}`);
  const asked = [found.id, '--payment-request', model.id, '--json'];
  const ran = await runCli(['cases', 'assign', ...asked], bank.service.env);
  assert.equal(ran.exitCode, 0, ran.stderr);
  const facts = { isTakenBack: false, caseNumber: 0, isNotice: false, isGiven: true, isPart: true };
  model.give({ name, cents, place: 'WAITS', ...facts });
  return `assign ${cents} of unclear details to ${nameOf(scene, model)}`;
};

export const takeBack: Act = async (scene) => {
  const model = scene.random.pick(scene.requests);
  const live = model?.live() ?? [];
  // Which of several refunds is not covered any more is the service's choice.
  if (!model || live.length > 1 || live.some(({ status }) => status !== 'CREATED')) return null;
  const open = model.money.filter(
    (each) => each.place !== 'SPLIT' && !each.isPart && model.leftOf(each) === each.cents,
  );
  const money = scene.random.pick(open);
  if (!money) return null;
  const { reference } = model;
  const { name, cents: amountCents } = money;
  const entry = { amountCents, reference, endToEndId: name, returned: 'AC04' };
  await deliver(scene, 'camt.053', { ...entry, direction: 'DEBIT', bankReference: `${name}-R` });
  model.takeBack(money);
  return `the bank takes ${amountCents} of ${nameOf(scene, model)} back`;
};

export const cancel: Act = async (scene) => {
  const model = scene.random.pick(scene.requests);
  if (!model) return null;
  const { status } = await scene.bank.cancel(model.id);
  assert.equal(status, model.status === 'CREATED' || model.status === 'CANCELLED' ? 200 : 409);
  if (model.status === 'CREATED') model.status = 'CANCELLED';
  return `cancel ${nameOf(scene, model)}: ${status}`;
};

export const expire: Act = async ({ bank, requests }) => {
  if (!requests.some(({ status }) => status === 'CREATED')) return null;
  await bank.service.advance(OPEN_SECONDS + 1);
  for (const model of requests) {
    if (model.status !== 'CREATED') continue;
    model.status = 'EXPIRED';
    await eventually(
      async () => ((await bank.statusOf(model.id)) === 'EXPIRED' ? {} : undefined),
      'the expiry',
    );
    if (model.needsAct) {
      await eventually(async () => (await readCases(bank, model.id))[0], 'the case of the parts');
    }
  }
  return 'all open requests expire';
};

export const refund: Act = async (scene) => {
  const { bank, random } = scene;
  const model = random.pick(scene.requests);
  if (!model || (model.status !== 'PAID' && model.money.length > 0)) return null;
  const { availableCents } = model;
  const cents = random.below(3) === 0 ? Math.max(1, availableCents) : 1 + random.below(1_500);
  names += 1;
  const body = { amount: cents / 100, merchantRefundId: `MODEL-${names}` };
  const answer = await bank.call('POST', `/v1/payment-requests/${model.id}/refunds`, { body });
  const expected = model.status !== 'PAID' ? 409 : cents > availableCents ? 422 : 201;
  assert.equal(answer.status, expected, answer.text);
  if (answer.status === 201) await adopt(scene, model, () => null);
  return `refund ${cents} of ${nameOf(scene, model)}: ${answer.status}`;
};

/** Takes the refunds over that the service has made. @returns their sum */
export async function adopt(
  { bank }: Scene,
  model: RequestModel,
  ofMoney: (cents: number) => Money | null,
): Promise<number> {
  const known = new Set(model.refunds.map(({ id }) => id));
  const fresh = (await readRefunds(bank, model.id)).filter(({ id }) => !known.has(id));
  for (const { id, amount } of fresh) {
    const cents = centsOf(amount);
    const of = ofMoney(cents);
    model.refunds.push({ id, cents, of, status: 'CREATED', isExecuted: false, feeCents: 0 });
  }
  return fresh.reduce((sum, { amount }) => sum + centsOf(amount), 0);
}

function refundsIn(
  { requests }: Scene,
  status: Refund['status'],
): (readonly [RequestModel, Refund])[] {
  return requests.flatMap((model) =>
    model.refunds.filter((each) => each.status === status).map((each) => [model, each] as const),
  );
}

/** `payreq bank refunds` writes what waits; the hand-over is a loop of its own. */
export const send: Act = async (scene) => {
  const { bank } = scene;
  const created = refundsIn(scene, 'CREATED');
  if (created.length === 0) return null;
  const folder = await mkdtemp(join(tmpdir(), 'money-model-'));
  const isSent = async () => {
    const ran = await runCli(['bank', 'refunds', '--out', folder], bank.service.env);
    assert.equal(ran.exitCode, 0, ran.stderr);
    const statuses = await Promise.all(
      created.map(async ([, { id }]) => (await bank.call('GET', `/v1/refunds/${id}`)).json.status),
    );
    return statuses.every((status) => status === 'PROCESSING') ? {} : undefined;
  };
  await bank.service.advance(1);
  await eventually(isSent, 'the payment file');
  await rm(folder, { recursive: true });
  for (const [, each] of created) each.status = 'PROCESSING';
  return `payment file of ${created.length} refunds`;
};

const endToEndIdOf = ({ id }: Refund): string => id.replaceAll('-', '');

export const execute: Act = async (scene) => {
  const found = scene.random.pick(refundsIn(scene, 'PROCESSING'));
  if (!found) return null;
  const [model, each] = found;
  const fee = drawFee(scene);
  const entry = { amountCents: each.cents + fee, transactionCents: each.cents };
  await deliver(scene, 'camt.053', {
    ...{ ...entry, endToEndId: endToEndIdOf(each) },
    direction: 'DEBIT',
    bankReference: `OUT-${endToEndIdOf(each).slice(-12)}`,
  });
  each.status = 'COMPLETED';
  each.isExecuted = true;
  each.feeCents += fee;
  return `the bank executes a refund of ${each.cents} + ${fee} of ${nameOf(scene, model)}`;
};

const drawFee = ({ random }: Scene): number => (random.below(3) === 0 ? 1 + random.below(50) : 0);

export const comeBack: Act = async (scene) => {
  const found = scene.random.pick(refundsIn(scene, 'COMPLETED'));
  if (!found) return null;
  const [model, each] = found;
  const fee = Math.min(drawFee(scene), each.cents - 1);
  const entry = { amountCents: each.cents - fee, transactionCents: each.cents, returned: 'AC04' };
  const endToEndId = endToEndIdOf(each);
  const bankReference = `BACK-${endToEndId.slice(-12)}`;
  await deliver(scene, 'camt.053', { ...entry, endToEndId, bankReference });
  each.status = 'FAILED';
  each.feeCents += fee;
  return `a refund of ${each.cents} - ${fee} of ${nameOf(scene, model)} comes back`;
};

export const reject: Act = async (scene) => {
  const { bank } = scene;
  const found = scene.random.pick(refundsIn(scene, 'PROCESSING'));
  if (!found) return null;
  const [model, each] = found;
  const [file] = await bank.service.database.sql<{ messageId: string }>(
    'SELECT message_id AS "messageId" FROM bank_refunds WHERE refund_id = $1',
    [each.id],
  );
  assert.ok(file, 'the payment file of the refund');
  const refunds = [{ refundId: each.id, code: 'AC04' }];
  await bank.deliver(writeRejections({ messageId: file.messageId, refunds }));
  each.status = 'FAILED';
  return `the bank rejects a refund of ${each.cents} of ${nameOf(scene, model)}`;
};
