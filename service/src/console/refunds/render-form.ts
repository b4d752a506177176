import { html } from 'ghtml';
import type { ApprovalPolicy } from '#approvals/acts/act-type.ts';
import { choiceField } from '#console/components/choice-field.ts';
import { facts } from '#console/components/facts.ts';
import { field, postForm } from '#console/components/form.ts';
import { money } from '#console/components/money.ts';
import type { Visit } from '#console/shell/visit.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { newId } from '#lib/new-id.ts';
import { availableCents, receivedCents } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { REFUND_REASONS } from '#refunds/model/statuses.ts';
import { CHOICES, type Choice, type FormFault, halfOf, type SentForm } from './read-form.ts';
import { REFUND_REASON_TEXTS } from './reason-texts.ts';
import { REFUND_FORM_TEXTS } from './texts.ts';

export interface RefundFormView {
  readonly paymentRequest: PaymentRequest;
  readonly policy: ApprovalPolicy;
  /** The id of a proposal about a refund of the payment; null: none is open. */
  readonly openProposalId: string | null;
  /** null: the form is new. */
  readonly sent: SentForm | null;
  readonly faults: ReadonlySet<FormFault>;
  /** The sentence of a refusal; null: none. */
  readonly refusal: string | null;
}

/** The form of a refund, with the sums that it is about. */
export function renderRefundForm(visit: Visit, view: RefundFormView): string {
  const { text } = REFUND_FORM_TEXTS[visit.language];
  const { paymentRequest, openProposalId, refusal, faults } = view;
  const { id, merchant } = paymentRequest;
  const fault = refusal ?? (faults.has('form') ? text('outdated') : null);
  const alert = fault === null ? '' : html`<p class="notice bad" role="alert">${fault}</p>`;
  const open =
    openProposalId === null
      ? ''
      : html`<p class="notice wait"><a href="/console/approvals/${openProposalId}"
>${text('openProposal')}</a></p>`;
  return html`<p><a href="/console/m/${merchant.id}/payment-requests/${id}">${text('back')}</a></p>
<h1>${text('title')}</h1>!${alert}!${open}!${sumsOf(visit, paymentRequest)}!${formOf(visit, view)}`;
}

function sumsOf(visit: Visit, paymentRequest: PaymentRequest): string {
  const { text } = REFUND_FORM_TEXTS[visit.language];
  const { id, amountCents, sums } = paymentRequest;
  return facts([
    [text('paymentRequest'), html`<span class="mono">${id}</span>`],
    [text('asked'), money(visit, amountCents)],
    [text('received'), money(visit, receivedCents(paymentRequest))],
    [text('refunded'), money(visit, sums.refundedCents + sums.refundingCents)],
    [text('available'), html`<strong>!${money(visit, availableCents(paymentRequest))}</strong>`],
  ]);
}

function formOf(visit: Visit, view: RefundFormView): string {
  const { text } = REFUND_FORM_TEXTS[visit.language];
  const { paymentRequest } = view;
  const { id, merchant, payment } = paymentRequest;
  if (payment === null) return html`<p>${text('notPaid')}</p>`;
  const available = availableCents(paymentRequest);
  if (available === 0) return html`<p>${text('nothingLeft')}</p>`;
  return postForm(visit, {
    action: `/m/${merchant.id}/payment-requests/${id}/refund`,
    body: html`<input type="hidden" name="form" value="${newId()}">
<input type="hidden" name="available" value="${available}">
!${amountFields(visit, view, available)}!${reasonField(visit, view)}!${policyHint(visit, view)}
<p class="actions"><button class="button">${text('send')}</button></p>`,
  });
}

function amountFields(visit: Visit, { sent, faults }: RefundFormView, available: number): string {
  const { text } = REFUND_FORM_TEXTS[visit.language];
  const shown = (cents: number) => localizedAmount(visit.language, cents, visit.currency);
  const labels: Readonly<Record<Choice, string>> = {
    full: text('full', { amount: shown(available) }),
    half: text('half', { amount: shown(halfOf(available)) }),
    other: text('other'),
  };
  const choices = CHOICES.filter((each) => each !== 'half' || halfOf(available) > 0);
  const chosen = sent?.choice ?? 'full';
  const radios = choices.map(
    (each) =>
      html`<label class="choice"><input type="radio" name="choice" value="${each}"!${
        each === chosen ? ' checked' : ''
      }> ${labels[each]}</label>`,
  );
  const choiceFault = faults.has('choice')
    ? html`<span class="fault">${text('choiceFault')}</span>`
    : '';
  const amount = { amount: shown(available) };
  const fault = faults.has('amount') ? text('amountFault', amount) : undefined;
  const described = `amount-hint${fault ? ' amount-fault' : ''}`;
  const control = html`<input id="amount" name="amount" inputmode="decimal" autocomplete="off"
 maxlength="20" value="${sent?.amount ?? ''}" aria-describedby="${described}"!${
   fault ? ' aria-invalid="true"' : ''
 }>`;
  return html`<fieldset><legend>${text('howMuch')}</legend>!${choiceFault}!${radios.join('')}
</fieldset>!${field({
    name: 'amount',
    label: text('amount'),
    hint: text('amountHint', amount),
    fault,
    control,
  })}`;
}

function reasonField({ language }: Visit, { sent, faults }: RefundFormView): string {
  const { text } = REFUND_FORM_TEXTS[language];
  return choiceField({
    name: 'reason',
    label: text('why'),
    value: sent?.reason ?? REFUND_REASONS[0],
    choices: REFUND_REASONS.map(
      (each) => [each, REFUND_REASON_TEXTS[language].text(each)] as const,
    ),
    fault: faults.has('reason') ? text('whyFault') : undefined,
  });
}

function policyHint({ language, currency }: Visit, { policy }: RefundFormView): string {
  const { text } = REFUND_FORM_TEXTS[language];
  const { isOn, refundsAboveCents } = policy;
  if (!isOn) return '';
  const limit = localizedAmount(language, refundsAboveCents, currency);
  const hint = refundsAboveCents === 0 ? text('needsTwo') : text('needsTwoAbove', { limit });
  return html`<p class="hint">${hint}</p>`;
}
