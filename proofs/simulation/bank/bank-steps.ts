import { matchNextEntries } from '#e-transfer/bank-transfer/matching/match-entries.ts';
import { reportNextAbsent } from '#e-transfer/bank-transfer/matching/report-absent.ts';
import { reportNextMovements } from '#e-transfer/bank-transfer/matching/report-movements.ts';
import { creditorReferenceOf } from '#e-transfer/bank-transfer/references/creditor-reference.ts';
import { CURRENCY } from '../payments/payment-world.ts';
import type { Random } from '../run/random.ts';
import { attempt } from '../run/world.ts';
import { bankReferenceOf, type TrueMoney } from './bank-truth.ts';
import { type BankWorld, type Message, OTHER_IBAN, SHOWN_IBAN } from './bank-world.ts';

const MOST_REQUESTS = 3;
const AMOUNTS = [100, 400, 1_000];

export async function create(world: BankWorld, random: Random): Promise<string> {
  if (world.bank.shown.all().length >= MOST_REQUESTS) return 'enough payment requests';
  const amountCents = random.pick(AMOUNTS);
  const id = world.create(random, amountCents);
  return `${world.payments.nameOf(id)} asks for ${amountCents} (references: ${world.truth.style})`;
}

/** Money moves on an account: for a payment request, for nothing, or back. */
export async function book(world: BankWorld, random: Random): Promise<string> {
  const shown = world.bank.shown.all();
  if (shown.length === 0) return 'no payment request';
  const credits = world.truth.money.filter(({ direction }) => direction === 'CREDIT');
  if (credits.length > 0 && random.chance(0.12))
    return takeBack(world, random.pick(credits), random);
  const request = random.pick(shown);
  const asked = request.amountCents;
  const amountCents = random.pick([
    asked,
    asked,
    asked,
    asked / 2,
    asked / 2,
    asked / 4,
    asked + 1,
  ]);
  const isOnOther = random.chance(0.06);
  const money = world.truth.book({
    account: isOnOther ? OTHER_IBAN : SHOWN_IBAN,
    direction: 'CREDIT',
    amountCents,
    currency: random.chance(0.06) ? 'USD' : CURRENCY,
    bookingDate: world.today(),
    references: referencesFor(world, random, request.reference),
    endToEndHash: random.chance(0.5) ? hashOf(world.truth.money.length) : null,
    isReturn: false,
    feeCents: random.chance(0.1) ? 1 + random.below(35) : 0,
    isUnclear: random.chance(0.06),
    undoes: null,
  });
  return `${formatMoney(world, money)} arrives`;
}

function referencesFor(world: BankWorld, random: Random, own: string): string[] {
  const draw = random.next();
  if (draw < 0.06) return [];
  if (draw < 0.12) return [creditorReferenceOf('123456789012345')];
  if (draw < 0.18) return [...new Set([own, random.pick(world.bank.shown.all()).reference])];
  return [own];
}

const hashOf = (number: number): string => number.toString(16).padStart(64, '0');

/** The debit names the credit by its EndToEndId, or by the reference of the payment request. */
function takeBack(world: BankWorld, undoes: TrueMoney, random: Random): string {
  const money = world.truth.book({
    ...undoes,
    direction: 'DEBIT',
    feeCents: 0,
    amountCents: random.chance(0.8) ? undoes.amountCents : Math.ceil(undoes.amountCents / 2),
    bookingDate: world.today(),
    isReturn: true,
    undoes,
  });
  return `${formatMoney(world, money)} goes back`;
}

function formatMoney({ payments, bank }: BankWorld, money: TrueMoney): string {
  const named = money.references.map((reference) => {
    const found = bank.shown.where((each) => each.reference === reference)[0];
    return found ? payments.nameOf(found.paymentRequestId) : 'an unknown request';
  });
  const what = money.undoes ? ` of ${bankReferenceOf(money.undoes)}` : '';
  const where = money.account === SHOWN_IBAN ? '' : ' on the other account';
  const names = named.join(' and ') || 'nothing';
  const of = `${money.amountCents} ${money.currency}`;
  const id = money.endToEndHash === null ? '' : ` as ${money.endToEndHash.slice(-2)}`;
  const fee = money.feeCents > 0 ? ` with charges of ${money.feeCents}` : '';
  const unclear = money.isUnclear ? ' in unclear details' : '';
  const told = `${of}${fee}${unclear}${id}`;
  return `${bankReferenceOf(money)}${what}, ${told} for ${names}${where}, ${money.bookingDate},`;
}

/** A camt.052 or camt.054 tells of some money, in any order, and may leave something out. */
export async function announce(world: BankWorld, random: Random): Promise<string> {
  const messages = Array.from({ length: 1 + random.below(2) }, (): Message => {
    const recent = world.truth.money.slice(-6);
    const kind = random.pick(['camt.052', 'camt.054'] as const);
    const isPending = kind === 'camt.052' && random.chance(0.4);
    const told = random
      .shuffle(recent)
      .filter(() => random.chance(0.6))
      .map((each) => (isPending ? each : misstate(world, each, random)));
    return {
      kind,
      // Announced money may never be booked.
      money: isPending ? told.map((each) => ({ ...each, number: each.number + 1_000 })) : told,
      isPending,
      leavesOut: random.chance(0.15) ? random.pick(['REFERENCES', 'END_TO_END'] as const) : null,
    };
  });
  const fileId = world.stage(messages);
  return `${fileId} has ${messages.map(toldBy).join(' and ')}`;
}

/** Only by the bank's reference does the correction name what it corrects. */
function misstate({ truth }: BankWorld, money: TrueMoney, random: Random): TrueMoney {
  // The service books no correction of money in another currency.
  const isPlain = money.direction === 'CREDIT' && money.currency === CURRENCY;
  const canBe = truth.style === 'ALWAYS' && isPlain && !truth.isStated(money);
  if (!canBe || !random.chance(0.06)) return money;
  return truth.misstate(money, random.pick([money.amountCents + 7, money.amountCents - 7]));
}

function toldBy({ kind, money, isPending, leavesOut }: Message): string {
  const names = money.map(bankReferenceOf).join(', ');
  const of = leavesOut ? ` without ${leavesOut}` : '';
  return `${isPending ? 'a pending ' : ''}${kind} of ${names || 'nothing'}${of}`;
}

/** The camt.053 of a day that is over lists each payment once; it may come again. */
export async function state(world: BankWorld, random: Random): Promise<string> {
  const over = world.truth.days().filter(({ day }) => day < world.today());
  if (over.length === 0) return 'no day is over';
  // Else the notice with the wrong amount would be the bank's last word.
  if (world.bank.filesToMatch().length > 0) return 'notices come first';
  return stateDay(world, random.pick(over), random);
}

export function stateDay(
  world: BankWorld,
  { account, day }: { readonly account: string; readonly day: string },
  random: Random | null = null,
): string {
  const all = world.truth.moneyOf(account, day);
  const money = random ? random.shuffle(all) : all;
  const message: Message = { kind: 'camt.053', money };
  const fileId = world.stage([message]);
  world.truth.stated.add(`${account} ${day}`);
  return `${fileId} has ${toldBy(message)}`;
}

/** The entries of a file are matched by a process, or by two at once. */
export async function match(world: BankWorld, random: Random): Promise<string> {
  const files = world.bank.filesToMatch();
  if (files.length === 0) return 'no file';
  const fileId = random.pick(files);
  const runs = Array.from({ length: random.chance(0.3) ? 2 : 1 }, () =>
    attempt(matchNextEntries(world.matchDeps, fileId)),
  );
  return `${fileId}: ${(await Promise.all(runs)).join(', ')}`;
}

export async function report(world: BankWorld, random: Random): Promise<string> {
  const runs = Array.from({ length: random.chance(0.2) ? 2 : 1 }, () =>
    attempt(reportNextMovements(world.reportDeps)),
  );
  return (await Promise.all(runs)).join(', ');
}

/** Money that the statement of its day lacks becomes a case, by a process or by two at once. */
export async function reportAbsent(world: BankWorld, random: Random): Promise<string> {
  const runs = Array.from({ length: random.chance(0.2) ? 2 : 1 }, () =>
    attempt(reportNextAbsent(world.reportDeps)),
  );
  return (await Promise.all(runs)).join(', ');
}
