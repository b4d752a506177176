import { html } from 'ghtml';
import { MOST_PART_CENTS } from '#cases/model/read-parts.ts';
import { statusWord } from '#console/components/badges.ts';
import { amountText, requestName } from '#console/components/values.ts';
import type { FormItem } from '#console/forms/form-field.ts';
import { renderItems } from '#console/forms/render-form.ts';
import { readTypedCents } from '#console/model/typed-amount.ts';
import { SETTLE_TEXTS } from '#console/money/texts.ts';
import type { Visit } from '#console/shell/visit.ts';
import { MOST_PARTS, type MoneyPart } from '#e-transfer/money-parts.ts';
import { formatAmount } from '#lib/money.ts';
import { ID_LENGTH, isId } from '#lib/new-id.ts';
import { heldCents } from '#payment-requests/model/money/sums.ts';
import { type Faults, partField, type SettlementForm, type TypedPart } from './typed-settlement.ts';
import { type Candidate, type CaseView, exactParts, type SettlementView } from './view-case.ts';

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
  const isOnOther = money.account !== null && found.shown?.account !== money.account;
  return isOnOther ? text('partOnOther') : null;
}

type PartsForm = Pick<SettlementForm, 'typed' | 'faults'>;

/** A row for each part, and the sum that they have together. */
export function partFields(visit: Visit, settlement: SettlementView, form: PartsForm): string {
  const { text } = SETTLE_TEXTS[visit.language];
  const { named } = settlement;
  const rows = [...(form.typed.parts ?? suggestedParts(settlement))];
  while (rows.length < 2) rows.push({ id: '', amount: '' });
  const isOut = settlement.view.read.operatorCase.kind === 'REFUNDED_OUTSIDE';
  const sets = rows.map((row, index) => {
    const found = named.find(({ paymentRequest }) => paymentRequest.id === row.id);
    return partRow(visit, { row, place: index + 1, found, isOut, faults: form.faults });
  });
  const more =
    rows.length < MOST_PARTS
      ? html`<p class="actions"><button class="button quiet" name="more" value="1" formnovalidate
>${text('partMore')}</button></p>`
      : '';
  return html`<p class="hint">${text('partsHint', { most: MOST_PARTS })}</p>
!${sets.join('\n')}!${sumLine(visit, settlement, rows, form)}!${more}`;
}

/** Nothing is guessed: amounts stand there only when the open amounts are exactly the money. */
function suggestedParts({ view: { money }, named }: SettlementView): TypedPart[] {
  const exact = exactParts(money, named);
  return named.map((each) => ({
    id: each.paymentRequest.id,
    amount: exact.includes(each) ? formatAmount(each.openCents) : '',
  }));
}

interface PartRow {
  readonly row: TypedPart;
  readonly place: number;
  /** The payment request of the part; undefined: it is still to be named. */
  readonly found: Candidate | undefined;
  /** The bank gave the money back. */
  readonly isOut: boolean;
  readonly faults: PartsForm['faults'];
}

/** A payment request that is known stands there by its payer and invoice. */
function partRow(visit: Visit, { row, place, found, isOut, faults }: PartRow): string {
  const { text } = SETTLE_TEXTS[visit.language];
  const [id, amount] = [partField(place, 'id'), partField(place, 'amount')];
  const hint = found && partHint(visit, found, isOut);
  const ofRequest: readonly FormItem[] =
    found && !faults[id]
      ? [
          html`<p class="field"><strong>${requestName(found.paymentRequest)}</strong>
<span class="hint">${hint}</span></p>`,
          { name: id, kind: 'hidden', value: row.id },
        ]
      : [{ name: id, label: text('partRequest'), value: row.id, maxLength: ID_LENGTH, hint }];
  const items: FormItem[] = [
    ...ofRequest,
    {
      name: amount,
      kind: 'amount',
      label: text('partAmountLabel', { currency: visit.currency }),
      value: row.amount,
    },
  ];
  return html`<fieldset class="part"><legend>${text('part', { place })}</legend>!${renderItems(
    items,
    { faults },
  )}</fieldset>`;
}

function partHint(visit: Visit, { paymentRequest, openCents }: Candidate, isOut: boolean): string {
  const cents = isOut ? heldCents(paymentRequest) : openCents;
  return SETTLE_TEXTS[visit.language].text(isOut ? 'partReceived' : 'partOpen', {
    merchant: paymentRequest.merchant.name,
    status: statusWord(visit.language, `request.${paymentRequest.status}`),
    amount: amountText(visit, cents),
  });
}

function sumLine(
  visit: Visit,
  { view: { money } }: SettlementView,
  rows: readonly TypedPart[],
  { faults }: PartsForm,
): string {
  const { text } = SETTLE_TEXTS[visit.language];
  const { cents, currency } = money;
  const shown = (each: number) => amountText(visit, each, currency);
  const sum = text('partsSum', {
    sum: shown(sumOfTyped(rows)),
    of: cents === null ? '–' : shown(cents),
  });
  const isExact = sumOfTyped(rows) === cents && !faults.parts;
  const tick = isExact ? html` <span class="likeness same">✓ ${text('partsExact')}</span>` : '';
  const fault = faults.parts ? html`<span class="fault" role="alert">${faults.parts}</span>` : '';
  return html`<div class="field parts-sum!${faults.parts ? ' bad' : ''}">!${fault}<output
><strong>${sum}</strong>!${tick}</output></div>`;
}
