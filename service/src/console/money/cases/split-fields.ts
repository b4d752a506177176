import { html } from 'ghtml';
import { amountText } from '#console/components/amount.ts';
import { requestName } from '#console/components/request-name.ts';
import { statusWord } from '#console/components/status-words.ts';
import type { FormItem } from '#console/forms/form-field.ts';
import { renderItems } from '#console/forms/render-form.ts';
import type { Visit } from '#console/shell/visit.ts';
import { MOST_PARTS } from '#e-transfer/money-parts.ts';
import { formatAmount } from '#lib/money.ts';
import { ID_LENGTH } from '#lib/new-id.ts';
import { heldCents } from '#payment-requests/model/money/sums.ts';
import { SETTLE_TEXTS } from '../texts.ts';
import { sumOfTyped } from './split-parts.ts';
import { partField, type SettlementForm, type TypedPart } from './typed-settlement.ts';
import { type Candidate, exactParts } from './view-case.ts';
import type { SettlementView } from './view-settlement.ts';

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
