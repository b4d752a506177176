import { html } from 'ghtml';
import { amountText } from '#console/components/amount.ts';
import { statusWord } from '#console/components/status-words.ts';
import type { FormField } from '#console/forms/form-field.ts';
import { renderItems } from '#console/forms/render-form.ts';
import type { Visit } from '#console/shell/visit.ts';
import { MOST_PARTS } from '#e-transfer/money-parts.ts';
import { formatAmount } from '#lib/money.ts';
import { ID_LENGTH } from '#lib/new-id.ts';
import { heldCents } from '#payment-requests/model/money/sums.ts';
import { SETTLE_TEXTS } from '../texts.ts';
import { sumOfTyped } from './split-parts.ts';
import { partField, type SettlementForm, type TypedPart } from './typed-settlement.ts';
import type { Candidate } from './view-case.ts';
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
    const hint = found && (isOut ? receivedHint(visit, found) : openHint(visit, found));
    return partRow(visit, { row, place: index + 1, hint, faults: form.faults });
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
  const open = named.filter(({ openCents }) => openCents > 0);
  const isExact = open.length > 1 && sumOf(open) === money.cents;
  return named.map(({ paymentRequest, openCents }) => ({
    id: paymentRequest.id,
    amount: isExact && openCents > 0 ? formatAmount(openCents) : '',
  }));
}

const sumOf = (all: readonly Candidate[]) => all.reduce((sum, each) => sum + each.openCents, 0);

interface PartRow {
  readonly row: TypedPart;
  readonly place: number;
  readonly hint: string | undefined;
  readonly faults: PartsForm['faults'];
}

function partRow({ language, currency }: Visit, { row, place, hint, faults }: PartRow): string {
  const { text } = SETTLE_TEXTS[language];
  const [id, amount] = [partField(place, 'id'), partField(place, 'amount')];
  const fields: readonly FormField[] = [
    { name: id, label: text('partRequest'), value: row.id, maxLength: ID_LENGTH, hint },
    {
      name: amount,
      kind: 'amount',
      label: text('partAmountLabel', { currency }),
      value: row.amount,
    },
  ];
  return html`<fieldset class="part"><legend>${text('part', { place })}</legend>!${renderItems(
    fields,
    { faults },
  )}</fieldset>`;
}

function openHint(visit: Visit, { paymentRequest, openCents }: Candidate): string {
  const { text } = SETTLE_TEXTS[visit.language];
  return text('partOpen', {
    merchant: paymentRequest.merchant.name,
    status: statusWord(visit.language, `request.${paymentRequest.status}`),
    amount: amountText(visit, openCents),
  });
}

function receivedHint(visit: Visit, { paymentRequest }: Candidate): string {
  const { text } = SETTLE_TEXTS[visit.language];
  return text('partReceived', {
    merchant: paymentRequest.merchant.name,
    status: statusWord(visit.language, `request.${paymentRequest.status}`),
    amount: amountText(visit, heldCents(paymentRequest)),
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
  const fault = faults.parts ? html`<span class="fault" role="alert">${faults.parts}</span>` : '';
  return html`<div class="field parts-sum!${faults.parts ? ' bad' : ''}">!${fault}<output
><strong>${sum}</strong></output></div>`;
}
