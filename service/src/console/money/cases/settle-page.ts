import { html } from 'ghtml';
import { allowsSettlement, type Settlement } from '#cases/model/case-kinds.ts';
import type { OperatorCase } from '#cases/model/operator-case.ts';
import { type Fact, facts } from '#console/components/facts.ts';
import { field, postForm } from '#console/components/form.ts';
import { statusBadge } from '#console/components/status-badge.ts';
import { statusWord } from '#console/components/status-words.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleAnswer, ConsolePage, Visit } from '#console/shell/visit.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { isId, newId } from '#lib/new-id.ts';
import { Problem } from '#lib/problem.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { heldCents } from '#payment-requests/model/money/sums.ts';
import type { ActOfCase, CaseAct } from '../money-deps.ts';
import { addressOf } from '../parts/address.ts';
import { amount, amountText, requestPath, shortId } from '../parts/amount.ts';
import { CASE_TEXTS } from '../texts/case-texts.ts';
import { SETTLE_TEXTS } from '../texts/settle-texts.ts';
import { type Candidate, type CaseView, isWholeSum, viewCase } from './view-case.ts';

type SettlePageDeps = Pick<ConsoleDeps, 'db' | 'money' | 'currency'>;

export const CASE_ACTS: readonly ActOfCase[] = ['accept', 'assign', 'refund', 'close'];

const SETTLEMENT_OF: Readonly<Record<ActOfCase, Settlement>> = {
  accept: 'ACCEPTED',
  assign: 'ASSIGNED',
  refund: 'REFUNDED',
  close: 'CLOSED',
};

/** A note is a sentence or two; the audit log keeps it for seven years. */
const LONGEST_NOTE = 500;

/** The values of the form, as they were sent. */
interface Sent {
  readonly note: string;
  readonly movement: string;
  readonly formId: string;
}
type Faults = Partial<Record<'note' | 'movement' | 'form', string>>;

/** Shows what a settlement would do, with the form that does it. */
export async function showSettlement(
  deps: SettlePageDeps,
  visit: Visit,
  act: ActOfCase,
): Promise<ConsolePage> {
  const paymentRequest = visit.query.get('paymentRequest');
  const sent = { note: '', movement: '', formId: newId() };
  return render(deps, visit, { act, paymentRequest, sent, faults: {} });
}

/** Settles the case as the form says; a refusal shows the form again. */
export async function settleByForm(
  deps: SettlePageDeps,
  visit: Visit,
  act: ActOfCase,
  form: URLSearchParams,
): Promise<ConsoleAnswer> {
  const { text } = SETTLE_TEXTS[visit.language];
  const value = (name: string) => form.get(name)?.trim() ?? '';
  const formId = isId(value('formId')) ? value('formId') : newId();
  const sent: Sent = { note: value('note'), movement: value('movement'), formId };
  const paymentRequest = value('paymentRequest') || null;
  const again = (faults: Faults) => render(deps, visit, { act, paymentRequest, sent, faults });
  if (sent.note.length > LONGEST_NOTE) {
    return again({ note: text('noteLong', { most: LONGEST_NOTE }) });
  }
  if (act === 'close' && sent.note === '') return again({ note: text('noteNeeded') });
  const caseId = visit.params.id ?? '';
  const asked = actOf(act, { caseId, paymentRequest, sent });
  if (!asked) return again({ form: text('requestNeeded') });
  try {
    const answer = await deps.money.settling.settle(visit, asked, formId);
    const done = answer.status === 'PROPOSED' ? 'PROPOSED' : answer.result.outcome;
    return { to: `/console/operator/cases/${caseId}`, done };
  } catch (error) {
    return again({ form: refusalOf(error) });
  }
}

function actOf(
  act: ActOfCase,
  asked: { readonly caseId: string; readonly paymentRequest: string | null; readonly sent: Sent },
): CaseAct | null {
  const { caseId, paymentRequest: paymentRequestId, sent } = asked;
  const note = sent.note || null;
  switch (act) {
    case 'accept':
      return { act, caseId, note };
    case 'assign':
      return paymentRequestId === null ? null : { act, caseId, paymentRequestId, note };
    case 'refund':
      return { act, caseId, movement: sent.movement || null, note };
    case 'close':
      return { act, caseId, note: sent.note };
  }
}

/** The sentence of a refusal. @throws the error when it is none */
function refusalOf(error: unknown): string {
  if (error instanceof OperatorFault) return error.message;
  if (!(error instanceof Problem) || error.code.endsWith('_UNAVAILABLE')) throw error;
  return error.detail ?? PROBLEMS[error.code].detail;
}

interface Rendered {
  readonly act: ActOfCase;
  readonly paymentRequest: string | null;
  readonly sent: Sent;
  readonly faults: Faults;
}

async function render(
  deps: SettlePageDeps,
  visit: Visit,
  { act, paymentRequest, sent, faults }: Rendered,
): Promise<ConsolePage> {
  const { text } = SETTLE_TEXTS[visit.language];
  const view = await viewCase(deps, visit, visit.params.id ?? '', paymentRequest);
  if (!view) throw new Problem('ROUTE_NOT_FOUND');
  const { operatorCase } = view.read;
  const target = targetOf(view, act, paymentRequest);
  const obstacle = obstacleOf(deps, visit, operatorCase, act, target);
  const isRefundCase = operatorCase.kind === 'REFUNDED_OUTSIDE';
  const lead = act === 'accept' && isRefundCase ? 'lead.acceptRefund' : (`lead.${act}` as const);
  const fault = faults.form ?? obstacle;
  const form = obstacle ? '' : formOf(visit, view, { act, paymentRequest, sent, faults });
  return {
    title: text(`title.${act}`),
    section: 'operator.cases',
    status: Object.keys(faults).length > 0 ? 422 : 200,
    body: html`<p><a href="/console/operator/cases/${operatorCase.id}">← ${text('cancel')}</a></p>
<h1>${text(`title.${act}`)}</h1>
!${fault ? html`<p class="notice bad" role="alert">${fault}</p>` : ''}<p>${text(lead)}</p>
<div class="card">!${facts(factsOf(visit, view, { act, target }))}</div>!${form}`,
  };
}

function targetOf(view: CaseView, act: ActOfCase, paymentRequest: string | null): Candidate | null {
  const wanted =
    act === 'assign'
      ? view.candidates.find((each) => each.paymentRequest.id === paymentRequest)
      : view.candidates.find(({ origin }) => origin === 'NAMED');
  return wanted ?? null;
}

/** Why the form would be refused, before it is filled in. */
function obstacleOf(
  { money: { settling } }: SettlePageDeps,
  visit: Visit,
  { kind }: OperatorCase,
  act: ActOfCase,
  target: Candidate | null,
): string | null {
  const { text } = SETTLE_TEXTS[visit.language];
  if (!allowsSettlement(kind, SETTLEMENT_OF[act])) return text('notAllowed');
  if (act === 'refund' && !settling.canRefund) return text('noRefunds');
  return act === 'assign' && target === null ? text('requestNeeded') : null;
}

function factsOf(
  visit: Visit,
  { read, money }: CaseView,
  { act, target }: { readonly act: ActOfCase; readonly target: Candidate | null },
): (Fact | null)[] {
  const { text } = SETTLE_TEXTS[visit.language];
  const { kind } = read.operatorCase;
  const named = CASE_TEXTS[visit.language].text(`name.${kind}`);
  const { cents, currency } = money;
  const own: Fact = [
    text('fact.money'),
    html`!${cents === null ? '' : amount(visit, cents, currency)}
<span class="quiet">(${named})</span>`,
  ];
  if (target === null) return [own];
  const { paymentRequest } = target;
  const before = heldCents(paymentRequest);
  const request: Fact = [
    text('fact.request'),
    html`<a href="${requestPath(paymentRequest.merchant.id, paymentRequest.id)}"
>!${shortId(paymentRequest.id)}</a> ${paymentRequest.merchant.name}`,
  ];
  const isIncoming = (act === 'accept' && kind !== 'REFUNDED_OUTSIDE') || act === 'assign';
  const isSum = act === 'accept' && isWholeSum(read);
  const after = cents === null ? null : (isSum ? 0 : before) + cents;
  return [
    own,
    request,
    [text('fact.asked'), amount(visit, paymentRequest.amountCents, visit.currency)],
    [text('fact.before'), amount(visit, before, visit.currency)],
    isIncoming && after !== null
      ? [text('fact.after'), amount(visit, after, visit.currency)]
      : null,
    isIncoming && after !== null
      ? [text('fact.status'), html`${outcomeText(visit, target, act, after)}`]
      : [text('fact.status'), statusBadge(visit, `request.${paymentRequest.status}`)],
  ];
}

/** The status of the payment request after the settlement. */
function outcomeText(
  visit: Visit,
  { paymentRequest }: Candidate,
  act: ActOfCase,
  after: number,
): string {
  const { text } = SETTLE_TEXTS[visit.language];
  const from = statusWord(visit.language, `request.${paymentRequest.status}`);
  const left = paymentRequest.amountCents - after;
  if (act === 'accept' || left === 0) {
    return text('becomesPaid', { from, to: statusWord(visit.language, 'request.PAID') });
  }
  const missing = amountText(visit, Math.abs(left), visit.currency);
  return text(left > 0 ? 'staysOpen' : 'newCase', { from, amount: missing });
}

function formOf(
  visit: Visit,
  { read }: CaseView,
  { act, paymentRequest, sent, faults }: Rendered,
): string {
  const { text } = SETTLE_TEXTS[visit.language];
  const { id, kind } = read.operatorCase;
  const choosesMovement = act === 'refund' && kind === 'REFUND_ACCOUNT_UNCLEAR';
  const described = [faults.note && 'note-fault', 'note-hint'].filter(Boolean).join(' ');
  const note = field({
    name: 'note',
    label: text('note'),
    hint: text('noteHint'),
    fault: faults.note,
    control: html`<textarea id="note" name="note" rows="3" maxlength="${LONGEST_NOTE}"
 aria-describedby="${described}"!${faults.note ? ' aria-invalid="true"' : ''}!${
   act === 'close' ? ' required' : ''
 }>${sent.note}</textarea>`,
  });
  const hidden = html`<input type="hidden" name="formId" value="${sent.formId}">
<input type="hidden" name="paymentRequest" value="${paymentRequest ?? ''}">`;
  const back = addressOf(`/console/operator/cases/${id}`, { beside: paymentRequest });
  return postForm(visit, {
    action: `/operator/cases/${id}/${act}`,
    body: html`!${hidden}!${choosesMovement ? movementChoice(visit, read, sent) : ''}!${note}
<p class="actions"><button class="button">${text(`button.${act}`)}</button>
<a class="button quiet" href="${back}">${text('cancel')}</a></p>`,
  });
}

interface ChosenMovement {
  readonly networkReference: string;
  readonly amountCents: number;
}

/** The movements among which an operator chooses, as the case names them. */
function movementChoice(visit: Visit, { operatorCase }: CaseView['read'], sent: Sent): string {
  const { text } = SETTLE_TEXTS[visit.language];
  const { movements } = operatorCase.details;
  const all = Array.isArray(movements) ? (movements as ChosenMovement[]) : [];
  const choices = all.map(({ networkReference, amountCents }, at) => {
    const isChosen = networkReference === sent.movement;
    return html`<div class="choice"><input type="radio" id="movement-${at}" name="movement"
 value="${networkReference}" required!${isChosen ? ' checked' : ''}>
<label for="movement-${at}">!${amount(visit, amountCents, visit.currency)}
<span class="mono">${networkReference}</span></label></div>`;
  });
  return html`<fieldset><legend>${text('movement')}</legend>!${choices.join('')}</fieldset>`;
}
