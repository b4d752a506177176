import assert from 'node:assert/strict';
import { runCli } from '../commands/run-cli.ts';
import { type Act, adopt, deliver, nameOf, PAYER_IBAN, type Scene } from './money-acts.ts';
import { type OpenCase, readCase, readCases } from './read-money.ts';
import type { Money, RequestModel } from './request-model.ts';

async function settle({ bank }: Scene, act: string, { id }: OpenCase) {
  return runCli(['cases', act, id, '--json'], bank.service.env);
}

const ACCEPTABLE = new Set(['AMOUNT_MISMATCH', 'PART_PAYMENT']);

export const accept: Act = async (scene) => {
  const { bank, random } = scene;
  const model = random.pick(scene.requests.filter(({ status }) => status !== 'PAID'));
  if (!model) return null;
  // The latest case knows all the money.
  const found = (await readCases(bank, model.id)).find(({ kind }) => ACCEPTABLE.has(kind));
  if (!found) return null;
  const ran = await settle(scene, 'accept', found);
  const isThere = model.availableCents + model.waitingCents > 0;
  assert.equal(ran.exitCode, isThere ? 0 : 1, ran.stderr || ran.stdout);
  if (isThere) model.accept(found.kind);
  return `accept ${found.kind} of ${nameOf(scene, model)}: ${isThere}`;
};

/** An operator gives back what is left of a case: its own movements, or the parts. */
export const giveBack: Act = async (scene) => {
  const model = scene.random.pick(scene.requests.filter((each) => each.needsAct));
  if (!model) return null;
  const found = scene.random.pick(
    (await readCases(scene.bank, model.id)).filter(
      ({ kind }) => ACCEPTABLE.has(kind) || kind === 'SECOND_PAYMENT',
    ),
  );
  if (!found) return null;
  const { waitingCents, secondCents } = model;
  const parts = model.isOver ? model.availableCents : 0;
  const ran = await settle(scene, 'refund', found);
  const isOfPayment = found.kind === 'PART_PAYMENT';
  const isLeft = isOfPayment ? parts > 0 : waitingCents + secondCents > 0;
  // Another case may have settled the money of this case.
  const told = `give ${found.kind} of ${nameOf(scene, model)} back`;
  if (ran.exitCode !== 0) return isLeft ? `${told}: refused, ${ran.stderr.trim()}` : told;
  const open = model.money.filter((each) => each.place !== 'COUNTS' && model.leftOf(each) > 0);
  const sum = await adopt(scene, model, (cents) =>
    isOfPayment ? null : (open.find((each) => each.cents === cents) ?? assert.fail(`${cents}`)),
  );
  if (isOfPayment) assert.equal(sum, parts);
  return `${told}: ${sum}`;
};

const isWhole = (model: RequestModel, money: Money): boolean =>
  money.place !== 'SPLIT' && money.cents > 1 && model.leftOf(money) === money.cents;

/** Cases of several movements are settled as one. */
const isAlone = (model: RequestModel, money: Money): boolean =>
  money.place !== 'WAITS' ||
  !model.money.some((each) => each !== money && each.place === 'WAITS' && model.leftOf(each) > 0);

/** An operator splits the money of a case between two payment requests. */
export const split: Act = async (scene) => {
  const { bank, random, requests } = scene;
  const from = random.pick(requests);
  const held = from?.money.filter(
    (each) => each.place !== 'COUNTS' && isWhole(from, each) && isAlone(from, each),
  );
  const money = random.pick(held ?? []);
  const one = random.pick(requests);
  const two = random.pick(requests.filter((each) => each !== one));
  const found = money && (await readCase(bank, 'networkReference', money.name));
  if (!from || !money || !one || !two || !found) return null;
  const first = 1 + random.below(money.cents - 1);
  const parts = [
    [one, first],
    [two, money.cents - first],
  ] as const;
  // A refund names its money by the amount.
  if (parts.some(([{ money: own }, cents]) => own.some((each) => each.cents === cents)))
    return null;
  const asked = parts.flatMap(([{ id }, cents]) => ['--part', `${id}=${(cents / 100).toFixed(2)}`]);
  const ran = await runCli(['cases', 'split', found.id, ...asked, '--json'], bank.service.env);
  assert.equal(ran.exitCode, 0, ran.stderr);
  money.place = 'SPLIT';
  for (const [model, cents] of parts)
    model.give({ ...money, cents, isNotice: false, isPart: true });
  const told = parts.map(([model, cents]) => `${cents} to ${nameOf(scene, model)}`);
  return `split ${money.cents} of ${nameOf(scene, from)}: ${told.join(', ')}`;
};

/** The statement has another amount than the notice, and an operator replaces the booking. */
export const correct: Act = async (scene) => {
  const { bank, random } = scene;
  const model = random.pick(scene.requests);
  if (!model || model.live().length > 0) return null;
  const told = model.money.filter(
    (each) => each.isNotice && isWhole(model, each) && isAlone(model, each),
  );
  const money = random.pick(told);
  if (!money) return null;
  const { name, cents: before } = money;
  let cents = 1 + random.below(model.askedCents + 200);
  while (model.money.some((each) => each.cents === cents)) cents += 1;
  const { reference } = model;
  await deliver(scene, 'camt.053', {
    ...{ amountCents: cents, reference, endToEndId: name, bankReference: name },
    debtorIban: PAYER_IBAN,
  });
  const found = await readCase(bank, 'correctedReferences', name);
  assert.ok(found, `the case of the correction of ${name}`);
  const ran = await settle(scene, 'replace', found);
  assert.equal(ran.exitCode, 0, ran.stderr);
  model.replace(money, cents);
  return `the statement has ${cents} in place of ${before} of ${nameOf(scene, model)}`;
};
