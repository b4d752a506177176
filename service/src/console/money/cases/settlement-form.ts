import { html } from 'ghtml';
import { amount, day } from '#console/components/amount.ts';
import type { FormField } from '#console/forms/form-field.ts';
import { buttons, type Form } from '#console/forms/render-form.ts';
import { addressOf } from '#console/model/address.ts';
import { partFields } from '#console/money/cases/split-parts.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { ActOfCase } from '../money-deps.ts';
import { SETTLE_TEXTS } from '../texts.ts';
import type { SettlementForm } from './typed-settlement.ts';
import type { SettlementView } from './view-settlement.ts';

/** A note is a sentence or two; the audit log keeps it for seven years. */
export const LONGEST_NOTE = 500;

/** The form of a settlement, with the button that does it. */
export function settlementForm(
  visit: Visit,
  settlement: SettlementView,
  { act, typed, faults }: SettlementForm,
): Form {
  const { text } = SETTLE_TEXTS[visit.language];
  const { paymentRequest, formId } = typed;
  const { id } = settlement.view.read.operatorCase;
  const back = addressOf(`/console/operator/cases/${id}`, { beside: paymentRequest });
  const note = {
    name: 'note',
    kind: 'textarea',
    label: text('note'),
    hint: text('noteHint'),
    value: typed.note,
    maxLength: LONGEST_NOTE,
    isRequired: act === 'close',
  } as const;
  return {
    faults,
    action: `/operator/cases/${id}/${act}`,
    items: [
      { name: 'formId', kind: 'hidden', value: formId },
      { name: 'paymentRequest', kind: 'hidden', value: paymentRequest },
      ...movementChoice(visit, settlement, { act, typed }),
      act === 'split' ? partFields(visit, settlement, { typed, faults }) : '',
      note,
    ],
    buttons: buttons(text(`button.${act}`), [back, text('cancel')]),
  };
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
  { act, typed }: Pick<SettlementForm, 'act' | 'typed'>,
): FormField[] {
  const { text } = SETTLE_TEXTS[visit.language];
  const all = choicesOf(act, settlement);
  if (all.length === 0) return [];
  const options = all.map(({ networkReference, amountCents, bookingDate = null }) => {
    const words = html`<span>!${amount(visit, amountCents)}
!${bookingDate === null ? '' : day(bookingDate)}
<span class="mono">${networkReference}</span></span>`;
    return [networkReference, words] as const;
  });
  const label = text(act === 'replace' ? 'earlierMovement' : 'movement');
  const value = typed.movement;
  return [{ name: 'movement', kind: 'radio', label, value, options, isRequired: true }];
}
