import { html } from 'ghtml';
import { allowsSettlement, type Settlement } from '#cases/model/case-kinds.ts';
import { namesOneMovement } from '#cases/read/read-case.ts';
import { facts } from '#console/components/parts.ts';
import { amount, amountText, day } from '#console/components/values.ts';
import type { FormField } from '#console/forms/form-field.ts';
import { button, type FormPage, formPage } from '#console/forms/render-form.ts';
import { addressOf } from '#console/model/address.ts';
import type { ActOfCase, CaseAct } from '#console/money/money-deps.ts';
import { SETTLE_TEXTS } from '#console/money/texts.ts';
import { problemSentences } from '#console/shell/render-fault.ts';
import type { ConsoleAnswer, ConsolePage, Visit } from '#console/shell/visit.ts';
import { MOST_PARTS } from '#e-transfer/money-parts.ts';
import { Problem } from '#lib/problem.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { settlementFacts } from './settlement-facts.ts';
import { partFields, readTypedParts } from './split-parts.ts';
import {
  type Faults,
  newSettlement,
  readTypedSettlement,
  type SettlementForm,
  type TypedSettlement,
} from './typed-settlement.ts';
import { type SettlementView, type SettlePageDeps, viewSettlement } from './view-case.ts';

const SETTLEMENT_OF: Readonly<Record<ActOfCase, Settlement>> = {
  accept: 'ACCEPTED',
  assign: 'ASSIGNED',
  refund: 'REFUNDED',
  replace: 'REPLACED',
  split: 'SPLIT',
  close: 'CLOSED',
};

export const CASE_ACTS = Object.keys(SETTLEMENT_OF) as ActOfCase[];

/** Shows what a settlement would do, with the form that does it. */
export async function showSettlement(
  deps: SettlePageDeps,
  visit: Visit,
  act: ActOfCase,
): Promise<ConsolePage> {
  const typed = newSettlement(visit.query.get('paymentRequest'));
  return render(deps, visit, { act, typed, faults: {} });
}

/** Settles the case as the form says; a refusal shows the form again. */
export async function settleByForm(
  deps: SettlePageDeps,
  visit: Visit,
  act: ActOfCase,
  form: URLSearchParams,
): Promise<ConsoleAnswer> {
  const typed = readTypedSettlement(form, MOST_PARTS);
  const again = (faults: Faults) => render(deps, visit, { act, typed, faults });
  if (form.has('more')) {
    const parts = [...(typed.parts ?? []), { id: '', amount: '' }].slice(0, MOST_PARTS);
    return render(deps, visit, { act, typed: { ...typed, parts }, faults: {} });
  }
  const asked = actOf(visit, act, typed, await viewSettlement(deps, visit, act, typed));
  if ('faults' in asked) return again(asked.faults);
  try {
    const answer = await deps.money.settling.settle(visit, asked, typed.formId);
    const done = answer.status === 'PROPOSED' ? 'PROPOSED' : answer.result.outcome;
    return { to: `/console/operator/cases/${asked.caseId}`, done };
  } catch (error) {
    return again({ form: refusalOf(visit, error) });
  }
}

function actOf(
  visit: Visit,
  act: ActOfCase,
  { note: typedNote, movement, paymentRequest: paymentRequestId, parts: typed }: TypedSettlement,
  { view, named, earlier }: SettlementView,
): CaseAct | { readonly faults: Faults } {
  const { text } = SETTLE_TEXTS[visit.language];
  if (typedNote.length > LONGEST_NOTE) {
    return { faults: { note: text('noteLong', { most: LONGEST_NOTE }) } };
  }
  const caseId = view.read.operatorCase.id;
  const note = typedNote || null;
  switch (act) {
    case 'accept':
      return { act, caseId, note };
    case 'assign':
      return paymentRequestId === null
        ? { faults: { form: text('requestNeeded') } }
        : { act, caseId, paymentRequestId, note };
    case 'refund':
    case 'replace':
      return act === 'replace' && movement === '' && earlier.length > 1
        ? { faults: { movement: text('movementNeeded') } }
        : { act, caseId, movement: movement || null, note };
    case 'split': {
      const read = readTypedParts(visit, view, typed ?? [], named);
      return 'faults' in read ? read : { act, caseId, parts: read.parts, note };
    }
    case 'close':
      return note === null ? { faults: { note: text('noteNeeded') } } : { act, caseId, note };
  }
}

/** The sentence of a refusal. @throws the error when it is none */
function refusalOf({ language }: Visit, error: unknown): string {
  if (error instanceof OperatorFault) return error.sentence(language);
  if (!(error instanceof Problem) || error.code.endsWith('_UNAVAILABLE')) throw error;
  return problemSentences(language, error).join(' ');
}

async function render(
  deps: SettlePageDeps,
  visit: Visit,
  { act, typed, faults }: SettlementForm,
): Promise<ConsolePage> {
  const { text } = SETTLE_TEXTS[visit.language];
  const settlement = await viewSettlement(deps, visit, act, typed);
  const { id, kind } = settlement.view.read.operatorCase;
  const obstacle = obstacleOf(deps, visit, act, settlement);
  const isRecorded = act === 'accept' || act === 'assign' || act === 'split';
  const isOut = kind === 'REFUNDED_OUTSIDE' && isRecorded;
  const lead = text(isOut ? `lead.${act}Refund` : `lead.${act}`);
  const shown = settlementFacts(visit, { ...settlement, act, movement: typed.movement });
  const { read, money } = settlement.view;
  const notice = obstacle
    ? html`<p class="notice bad" role="alert">${obstacle}</p>`
    : act === 'close' && read.leftCents
      ? html`<p class="notice warning">${text('closeLeaves', {
          amount: amountText(visit, read.leftCents, money.currency),
        })}</p>`
      : '';
  return formPage(visit, {
    title: text(`title.${act}`),
    back: { href: `/console/operator/cases/${id}`, name: text('cancel') },
    under: lead,
    refusal: faults.form,
    lead: html`!${notice}<section class="card form">!${facts(shown)}</section>`,
    ...(!obstacle && settlementForm(visit, settlement, { act, typed, faults })),
  });
}

/** Why the form would be refused, before it is filled in. */
function obstacleOf(
  { money: { settling } }: SettlePageDeps,
  visit: Visit,
  act: ActOfCase,
  { view: { read }, target, earlier }: SettlementView,
): string | null {
  const { text } = SETTLE_TEXTS[visit.language];
  const { operatorCase } = read;
  if (!allowsSettlement(operatorCase.kind, SETTLEMENT_OF[act])) return text('notAllowed');
  if (act === 'refund' && !settling.canRefund) return text('noRefunds');
  if (act === 'replace' && earlier.length === 0) return text('nothingToReplace');
  if (act === 'split' && !namesOneMovement(read)) return text('nothingToSplit');
  return act === 'assign' && target === null ? text('requestNeeded') : null;
}

/** A note is a sentence or two; the audit log keeps it for seven years. */
const LONGEST_NOTE = 500;

/** The form of a settlement, with the button that does it. */
function settlementForm(
  visit: Visit,
  settlement: SettlementView,
  { act, typed, faults }: SettlementForm,
): Partial<FormPage> {
  const { text } = SETTLE_TEXTS[visit.language];
  const { paymentRequest, formId } = typed;
  const { id } = settlement.view.read.operatorCase;
  const href = addressOf(`/console/operator/cases/${id}`, { beside: paymentRequest });
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
    items: [
      { name: 'formId', kind: 'hidden', value: formId },
      { name: 'paymentRequest', kind: 'hidden', value: paymentRequest },
      ...movementChoice(visit, settlement, { act, typed }),
      act === 'split' ? partFields(visit, settlement, { typed, faults }) : '',
      note,
    ],
    buttons: button(text(`button.${act}`)),
    cancel: { href, name: text('cancel') },
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
!${bookingDate === null ? '' : day(visit, bookingDate)}
<span class="mono">${networkReference}</span></span>`;
    return [networkReference, words] as const;
  });
  const label = text(act === 'replace' ? 'earlierMovement' : 'movement');
  const value = typed.movement;
  return [{ name: 'movement', kind: 'radio', label, value, options, isRequired: true }];
}
