import { applyReport } from '#messages/bounces/apply-report.ts';
import type { DeliveryReport } from '#messages/bounces/parse-report.ts';
import { tokenOf } from '#messages/mail/return-path.ts';
import { eraseMessages } from '#messages/outbox/message-outbox.ts';
import { cancelPaymentRequest } from '#payment-requests/change/cancel.ts';
import { erasePayerOf, lockStatuses } from '#payment-requests/erasure/payer-erasure-store.ts';
import { STATUS_FACTS } from '#payment-requests/model/statuses.ts';
import { everythingSettled } from '../deliveries/delivery-world.ts';
import { expire as expireDue, refund } from '../payments/merchant-steps.ts';
import { handOver, moveRefund } from '../payments/operator-steps.ts';
import { CURRENCY, MERCHANT, type PaymentWorld } from '../payments/payment-world.ts';
import { deliver } from '../payments/report-steps.ts';
import type { Random } from '../run/random.ts';
import { attempt } from '../run/world.ts';
import type { MessageChecks } from './check-messages.ts';
import { BOUNCE_DOMAIN, type Exchange, fault, type MessageWorld } from './message-world.ts';

export interface Parts {
  readonly world: MessageWorld;
  readonly checks: MessageChecks;
}

const MOST_REQUESTS = 3;
const AMOUNTS = [100, 250, 600];
const HOUR_MS = 3_600_000;
const OPEN_HOURS = [1, 2, 5, 26];

export async function create({ world }: Parts, random: Random): Promise<string> {
  if (world.payments.requests.rows.all().length >= MOST_REQUESTS) return 'enough requests';
  const byEmail = random.chance(0.85);
  const reminders = byEmail && random.chance(0.5) ? [1] : [];
  const receipt = random.chance(0.7);
  const plan = { receipt, reminders, quietHours: random.chance(0.5), templateId: null };
  const openMs = random.pick(OPEN_HOURS) * HOUR_MS;
  const asked = { amountCents: random.pick(AMOUNTS), openMs, byEmail };
  const hasPlan = byEmail || receipt;
  const row = await attempt(world.create({ ...asked, plan: hasPlan ? plan : null }));
  const told = typeof row === 'string' ? row : world.payments.nameOf(row.id);
  return `${told}${byEmail ? ' by e-mail' : ''}${receipt ? ', with a receipt' : ''}`;
}

/** A process claims what is due; its exchanges stand before the last read. */
export async function poll(parts: Parts, random: Random): Promise<string> {
  const { world } = parts;
  const sender = random.pick(world.senders);
  if (!world.messages.isAnyDue()) await create(parts, random);
  const before = world.exchanges.length;
  const result = await attempt(sender.work.run(new AbortController().signal, () => {}));
  await everythingSettled();
  const begun = world.exchanges.length - before;
  return `${sender.name} begins ${begun}${result === 'UNKNOWN' ? ' (no answer)' : ''}`;
}

/** Up to four exchanges go on, in any order. */
export async function progress(parts: Parts, random: Random): Promise<string> {
  const { exchanges } = parts.world;
  const told: string[] = [];
  const count = 1 + random.below(4);
  for (let n = 0; n < count && exchanges.length > 0; n += 1) {
    told.push(await progressOne(parts, random.pick(exchanges), random));
  }
  return told.join(', ') || 'nothing is being sent';
}

/** Acts that make messages untrue, at the moment of the last read. */
const RIVALS = { pay, cancel, expire, erase, bounce };
/** More than a check has awaits. */
const MOST_TURNS = 40;

/** The last read of an exchange, and an act at the same time. */
export async function race(parts: Parts, random: Random): Promise<string> {
  const connected = parts.world.exchanges.filter(({ stage }) => stage === 'CONNECTED');
  if (connected.length === 0) return 'nothing is being sent';
  const exchange = random.pick(connected);
  const [name, act] = random.pick(Object.entries(RIVALS));
  const turns = random.below(MOST_TURNS);
  const { paymentRequestId } = exchange.outgoing.message;
  const [told, done] = await Promise.all([
    progressOne(parts, exchange, random),
    turnsLater(turns).then(() => act(parts, random, paymentRequestId)),
  ]);
  return `${told}, and ${turns} turns later ${name}: ${done}`;
}

async function turnsLater(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await null;
}

/** The next part of an exchange; the server may refuse, or fall silent. */
export async function progressOne(
  { world, checks }: Parts,
  exchange: Exchange,
  random: Random | null,
): Promise<string> {
  const chance = (probability: number) => random?.chance(probability) ?? false;
  const { message } = exchange.outgoing;
  const name = `${message.kind} of ${world.payments.nameOf(message.paymentRequestId)}`;
  const over = async (result: Parameters<typeof world.end>[1], told: string) => {
    const faults = world.payments.db.faults;
    world.end(exchange, result);
    await everythingSettled();
    if (result === 'SENT') checks.onRecorded(message.id, world.payments.db.faults > faults);
    return `${name} ${told}`;
  };
  if (world.isOverdue(exchange)) return over(fault('TRANSIENT', 'DEADLINE'), 'takes too long');
  if (exchange.stage === 'CONNECTED') {
    if (chance(0.06)) return over(fault('TRANSIENT'), 'loses its connection');
    if (chance(0.04)) return over(fault('SERVER'), 'meets a server that refuses the service');
    return checkLast({ world, checks }, exchange, over);
  }
  if (exchange.stage === 'NAMED') {
    if (chance(0.06)) return over(fault('RECIPIENT'), 'meets no such recipient');
    if (chance(0.06)) return over(fault('TRANSIENT'), 'is put off');
    if (chance(0.06)) return over(fault('CONTENT'), 'is refused whole');
    checks.onReceived(exchange);
    world.receive(exchange);
    return `${name} arrives`;
  }
  if (chance(0.12)) return over(fault('TRANSIENT'), 'loses the answer');
  return over('SENT', 'is answered');
}

async function checkLast(
  { world, checks }: Parts,
  exchange: Exchange,
  over: (result: 'STOPPED' | Error, told: string) => Promise<string>,
): Promise<string> {
  exchange.boundFromMs = world.payments.clock.steadyMs();
  exchange.reads.length = 0;
  checks.onCheck(exchange);
  try {
    if (!(await exchange.check())) return over('STOPPED', 'is stopped');
  } catch (error) {
    return over(error as Error, 'cannot be checked');
  }
  exchange.stage = 'NAMED';
  checks.onNamed(exchange);
  return `${exchange.outgoing.message.kind} is named`;
}

/** The whole amount arrives, also late. */
export async function pay(
  { world: { payments } }: Parts,
  random: Random,
  paymentRequestId?: string,
): Promise<string> {
  const request = pick(payments, random, paymentRequestId);
  if (!request) return 'nothing to pay';
  const { id, amount_cents: amountCents } = request;
  const networkReference = payments.truth.nextReference();
  const sent = payments.truth.send({
    paymentRequestId: id,
    isRevocable: false,
    outcome: {
      ...{ state: 'SUCCEEDED', amountCents, currency: CURRENCY, institution: 'A Bank' },
      ...{ networkReference, completedAt: payments.clock.now() },
    },
  });
  await deliver(payments, sent);
  return `${payments.nameOf(id)}: ${sent.verdict ?? 'no answer'}`;
}

export async function cancel(
  { world: { payments } }: Parts,
  random: Random,
  paymentRequestId?: string,
): Promise<string> {
  const request = pick(payments, random, paymentRequestId);
  if (!request) return 'nothing to cancel';
  const asked = { id: request.id, body: {}, faults: [], ifMatch: undefined };
  const { db, reportDeps } = payments;
  const result = await attempt(
    db.transaction((tx) => cancelPaymentRequest(tx, reportDeps, MERCHANT.id, asked)),
  );
  return `${payments.nameOf(request.id)}: ${typeof result === 'string' ? result : 'CANCELLED'}`;
}

export function expire({ world }: Parts): Promise<string> {
  return expireDue(world.payments);
}

/** The payer of a payment request that is over is erased, as erase-payer.ts does. */
export async function erase(
  { world: { payments } }: Parts,
  random: Random,
  paymentRequestId?: string,
): Promise<string> {
  const request = pick(payments, random, paymentRequestId);
  if (!request) return 'nobody to erase';
  const { id } = request;
  const result = await attempt(
    payments.db.transaction(async (tx) => {
      const [locked] = await lockStatuses(tx, [id]);
      if (!locked || !STATUS_FACTS[locked.status].isOver) return 'waits';
      await erasePayerOf(tx, [id]);
      await eraseMessages(tx, [id]);
      return 'erased';
    }),
  );
  return `the payer of ${payments.nameOf(id)}: ${result}`;
}

/** A payment request of this id, or one of all. */
function pick({ requests }: PaymentWorld, random: Random, id?: string) {
  const all = requests.rows.all();
  return all.find((row) => row.id === id) ?? (all.length > 0 ? random.pick(all) : undefined);
}

/** A refund on its way through the network, up to an outcome. */
export async function giveBack({ world }: Parts, random: Random): Promise<string> {
  const told: string[] = [];
  for (const step of [refund, handOver, moveRefund]) told.push(await step(world.payments, random));
  return told.join('; ');
}

const REPORTS: readonly DeliveryReport[] = [
  { action: 'failed', status: '5.1.1' },
  { action: 'failed', status: '5.2.2' },
  { action: 'delayed', status: '4.4.1' },
];

/** The payer's server reports about a mail that it has, at once or later, and more than once. */
export async function bounce({ world }: Parts, random: Random): Promise<string> {
  if (world.received.length === 0) return 'no mail';
  const { returnPath } = random.pick(world.received);
  const report = random.pick(REPORTS);
  const token = tokenOf(returnPath, BOUNCE_DOMAIN);
  const outcome = await attempt(applyReport(world.bounceDeps, token, report));
  return `${report.action} ${report.status}: ${outcome}`;
}

const WAITS_MS = [1_000, 11_000, 31_000, 61_000, 150_000, 3_700_000, 12 * HOUR_MS];

/** Time passes, also in the middle of exchanges, which the mailer then gives up. */
export async function wait(parts: Parts, random: Random): Promise<string> {
  const { clock } = parts.world.payments;
  const milliseconds = random.pick(WAITS_MS);
  clock.advance(milliseconds);
  const overdue = parts.world.exchanges.filter((each) => parts.world.isOverdue(each));
  for (const exchange of overdue) await progressOne(parts, exchange, null);
  return `${milliseconds / 1_000} s pass, and end ${overdue.length} exchanges`;
}

export async function kill({ world }: Parts, random: Random): Promise<string> {
  const sender = random.pick(world.senders);
  world.kill(sender, () => random.chance(0.5));
  return `${sender.name} is killed`;
}
