import { MOST_PART_CENTS } from '#cases/model/read-parts.ts';
import { amountText } from '#console/components/amount.ts';
import { readTypedCents } from '#console/model/typed-amount.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { MoneyPart } from '#e-transfer/money-parts.ts';
import { isId } from '#lib/new-id.ts';
import { SETTLE_TEXTS } from '../texts.ts';
import { type Faults, partField, type TypedPart } from './typed-settlement.ts';
import type { Candidate, CaseView } from './view-case.ts';

/** The cents of the amounts that can be read. */
export function sumOfTyped(parts: readonly TypedPart[]): number {
  return parts.reduce((sum, { amount }) => sum + (centsOf(amount) ?? 0), 0);
}

/** The parts of a form that are exactly the money of the case, or the fault of each field. */
export function readTypedParts(
  visit: Visit,
  view: CaseView,
  typed: readonly TypedPart[],
  named: readonly Candidate[],
): { readonly parts: readonly MoneyPart[] } | { readonly faults: Faults } {
  const { text } = SETTLE_TEXTS[visit.language];
  const faults: Record<string, string> = {};
  const places = new Map<string, number>();
  const parts: MoneyPart[] = [];
  for (const [index, { id, amount }] of typed.entries()) {
    if (id === '' && amount === '') continue;
    const place = index + 1;
    const idFault = places.has(id)
      ? text('partRepeated', { place: places.get(id) ?? 0 })
      : idFaultOf(visit, view, id, named);
    if (idFault) faults[partField(place, 'id')] = idFault;
    if (id !== '') places.set(id, place);
    const amountCents = centsOf(amount);
    if (amountCents === null) faults[partField(place, 'amount')] = text('partAmount');
    else parts.push({ paymentRequestId: id, amountCents });
  }
  if (Object.keys(faults).length > 0) return { faults };
  const { cents, currency } = view.money;
  const sum = parts.reduce((all, { amountCents }) => all + amountCents, 0);
  if (parts.length < 2) return { faults: { parts: text('partsFew') } };
  if (cents === null || sum === cents) return { parts };
  const key = sum < cents ? 'partsLess' : 'partsMore';
  const difference = amountText(visit, Math.abs(cents - sum), currency);
  return { faults: { parts: text(key, { amount: difference }) } };
}

function centsOf(amount: string): number | null {
  return readTypedCents(amount, MOST_PART_CENTS);
}

/** Why a payment request cannot have a part; the act itself checks it again, under locks. */
function idFaultOf(
  { language }: Visit,
  { read: { operatorCase }, money }: CaseView,
  id: string,
  named: readonly Candidate[],
): string | null {
  const { text } = SETTLE_TEXTS[language];
  if (!isId(id)) return text('partId');
  const found = named.find(({ paymentRequest }) => paymentRequest.id === id);
  if (!found) return text('partUnknown');
  const { merchantId } = operatorCase;
  if (merchantId !== null && found.paymentRequest.merchant.id !== merchantId) {
    return text('partOfOther');
  }
  const isOnOther = money.account !== null && found.shown?.iban !== money.account;
  return isOnOther ? text('partOnOther') : null;
}
