import { html } from 'ghtml';
import { field, postForm } from '#console/components/form.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { ActOfCase } from '../money-deps.ts';
import { addressOf } from '../parts/address.ts';
import { amount, day } from '../parts/amount.ts';
import { SETTLE_TEXTS } from '../texts/settle-texts.ts';
import { partFields } from './split-fields.ts';
import type { SettlementForm } from './typed-settlement.ts';
import type { SettlementView } from './view-settlement.ts';

/** A note is a sentence or two; the audit log keeps it for seven years. */
export const LONGEST_NOTE = 500;

/** The fields of a settlement, with the button that does it. */
export function settlementForm(
  visit: Visit,
  settlement: SettlementView,
  { act, typed, faults }: SettlementForm,
): string {
  const { text } = SETTLE_TEXTS[visit.language];
  const { paymentRequest, formId } = typed;
  const { id } = settlement.view.read.operatorCase;
  const hidden = html`<input type="hidden" name="formId" value="${formId}">
<input type="hidden" name="paymentRequest" value="${paymentRequest ?? ''}">`;
  const back = addressOf(`/console/operator/cases/${id}`, { beside: paymentRequest });
  const parts = act === 'split' ? partFields(visit, settlement, { typed, faults }) : '';
  return postForm(visit, {
    action: `/operator/cases/${id}/${act}`,
    body: html`!${hidden}!${movementChoice(visit, settlement, { act, typed, faults })}!${parts}
!${noteField(visit, { act, typed, faults })}
<p class="actions"><button class="button">${text(`button.${act}`)}</button>
<a class="button quiet" href="${back}">${text('cancel')}</a></p>`,
  });
}

function noteField({ language }: Visit, { act, typed, faults }: SettlementForm): string {
  const { text } = SETTLE_TEXTS[language];
  const described = [faults.note && 'note-fault', 'note-hint'].filter(Boolean).join(' ');
  return field({
    name: 'note',
    label: text('note'),
    hint: text('noteHint'),
    fault: faults.note,
    control: html`<textarea id="note" name="note" rows="3" maxlength="${LONGEST_NOTE}"
 aria-describedby="${described}"!${faults.note ? ' aria-invalid="true"' : ''}!${
   act === 'close' ? ' required' : ''
 }>${typed.note}</textarea>`,
  });
}

interface ChosenMovement {
  readonly networkReference: string;
  readonly amountCents: number;
  readonly bookingDate?: string | null;
}

/** The movements among which an operator chooses; none where the case leaves no choice. */
function choicesOf(
  act: ActOfCase,
  { view: { read }, earlier }: SettlementView,
): readonly ChosenMovement[] {
  const { kind, details } = read.operatorCase;
  if (act === 'replace') return earlier.length > 1 ? earlier.map(({ old }) => old) : [];
  if (act !== 'refund' || kind !== 'REFUND_ACCOUNT_UNCLEAR') return [];
  return Array.isArray(details.movements) ? (details.movements as ChosenMovement[]) : [];
}

function movementChoice(
  visit: Visit,
  settlement: SettlementView,
  { act, typed, faults }: SettlementForm,
): string {
  const { text } = SETTLE_TEXTS[visit.language];
  const all = choicesOf(act, settlement);
  if (all.length === 0) return '';
  const choices = all.map(({ networkReference, amountCents, bookingDate = null }, at) => {
    const isChosen = networkReference === typed.movement;
    return html`<div class="choice"><input type="radio" id="movement-${at}" name="movement"
 value="${networkReference}" required!${isChosen ? ' checked' : ''}>
<label for="movement-${at}">!${amount(visit, amountCents, visit.currency)}
!${bookingDate === null ? '' : day(bookingDate)}
<span class="mono">${networkReference}</span></label></div>`;
  });
  const fault = faults.movement ? html`<span class="fault">${faults.movement}</span>` : '';
  const legend = text(act === 'replace' ? 'earlierMovement' : 'movement');
  return html`<fieldset><legend>${legend}</legend>!${fault}!${choices.join('')}</fieldset>`;
}
