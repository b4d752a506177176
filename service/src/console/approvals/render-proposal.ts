import { html } from 'ghtml';
import { LONGEST_REASON } from '#approvals/end-waiting.ts';
import { changedFacts, type Facts } from '#approvals/model/facts.ts';
import {
  approvalsMissing,
  isSameParty,
  isSamePerson,
  type Proposal,
} from '#approvals/model/proposal.ts';
import { actorName } from '#console/components/act-sentence.ts';
import { type Fact, facts } from '#console/components/parts.ts';
import { type Column, column, rowHeader, table } from '#console/components/table.ts';
import { amount, amountText, instant } from '#console/components/values.ts';
import { button, renderForm } from '#console/forms/render-form.ts';
import { isFreshSignIn } from '#console/model/decide-access.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { shownAccount } from '#lib/bank/account-number.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { mayDecide, partyOf } from './act-for-viewer.ts';
import { proposedTemplate } from './proposed-template.ts';
import {
  APPROVAL_TEXTS,
  invoiceOf,
  paymentRequestIdOf,
  proposalBadge,
  refundReasonOf,
} from './render-list.ts';

const FACT_TEXTS = pageTexts('console.approvals.facts');

export interface ProposalView {
  readonly proposal: Proposal;
  readonly merchantName: string | null;
  /** The payment request that the act is about; null: the act is about none. */
  readonly paymentRequest: PaymentRequest | null;
  /** The fault of the last form; null: none. */
  readonly fault: string | null;
}

/** A proposal: what it changes, who stands behind it, and the forms of the person who looks. */
export function renderProposal(visit: Visit, view: ProposalView): ConsolePage {
  const { proposal, fault } = view;
  const { text } = APPROVAL_TEXTS[visit.language];
  const alert = fault === null ? '' : html`<p class="notice bad" role="alert">${fault}</p>`;
  const { kind, amountCents } = proposal;
  const head = {
    title: [text(`kind.${kind}`), amountCents === null ? '' : amountText(visit, amountCents)]
      .filter(Boolean)
      .join(' · '),
    badge: proposalBadge(visit, proposal),
    under: [view.paymentRequest?.payer.name, view.merchantName]
      .filter((each) => each)
      .map((each) => html`${each}`)
      .join(' · '),
    back: { href: '/console/approvals', name: text('back') },
  };
  const body = html`!${alert}!${stateOf(visit, proposal)}
<div class="columns deciding"><div><section class="card">!${summary(visit, view)}</section></div>
<div>!${proposedTemplate(visit, proposal)}!${renderFacts(visit, proposal)}!${decision(
    visit,
    proposal,
  )}</div></div>`;
  const hasFrame = 'template' in proposal.params;
  return { title: text(`kind.${kind}`), head, body, ...(hasFrame && { hasFrame }) };
}

function stateOf(visit: Visit, proposal: Proposal): string {
  const { language } = visit;
  const { text } = APPROVAL_TEXTS[language];
  const { status, outcome, proposer, approvals } = proposal;
  if (status === 'WAITING') {
    const { subject } = partyOf(visit);
    const isInvolved =
      isSameParty(proposer, partyOf(visit)) ||
      approvals.some((each) => isSamePerson(each.subject, subject));
    if (subject !== null && !isInvolved && mayDecide(visit, proposal)) {
      const name = actorName(visit, proposer.actor);
      return html`<p class="notice info">${text('youMay', { name })}</p>`;
    }
    const key = approvalsMissing(proposal) > 1 ? 'waitsForTwo' : 'waitsForOne';
    return html`<p class="notice warning">${text(key)}</p>`;
  }
  if (status === 'APPROVED') return html`<p class="notice warning">${text('doneSoon')}</p>`;
  if (!outcome || !('failure' in outcome)) return '';
  const sentence = FACT_TEXTS[language].text(`failure.${outcome.failure}`);
  return html`<p class="notice bad">${sentence}</p>`;
}

function summary(visit: Visit, { proposal, merchantName, paymentRequest }: ProposalView): string {
  const { text } = APPROVAL_TEXTS[visit.language];
  const { amountCents, proposer, approvals, proposedAt, expiresAt, endedAt, endedBy } = proposal;
  const { status, reason, payloadHash, outcome } = proposal;
  const approvers = approvals.map(
    ({ actor, approvedAt }) =>
      html`<li>${actorName(visit, actor)}, !${instant(visit, approvedAt)}</li>`,
  );
  const isOpen = endedAt === null;
  const invoice = invoiceOf(paymentRequest);
  const isChanged = outcome !== null && 'factsNow' in outcome;
  const content = html`<details><summary>${text('content')}</summary><p class="small"
>${text('contentHint')}<br><code>${payloadHash.toString('hex')}</code></p></details>`;
  const rows: Fact[] = [
    [text('sum'), amountCents === null ? null : amount(visit, amountCents)],
    [text('merchant'), merchantName === null ? null : html`${merchantName}`],
    [text('payer'), paymentRequest && html`${paymentRequest.payer.name}`],
    [text('invoice'), invoice && html`<span class="mono">${invoice}</span>`],
    ...linksOf(visit, proposal),
    ...paramsOf(visit, proposal),
    [text('proposer'), html`${actorName(visit, proposer.actor)}, !${instant(visit, proposedAt)}`],
    [
      text('approvedBy'),
      approvers.length > 0 && html`<ul class="plain">!${approvers.join('')}</ul>`,
    ],
    isOpen
      ? [text('expires'), instant(visit, expiresAt)]
      : [text(status === 'EXECUTED' ? 'executed' : 'ended'), instant(visit, endedAt)],
    [text('endedBy'), endedBy === null ? null : html`${actorName(visit, endedBy)}`],
    // The table of facts says it in the language of the person.
    [text('reason'), reason !== null && !isChanged && html`${reason}`],
  ];
  return facts(rows) + content;
}

function linksOf({ language }: Visit, proposal: Proposal): Fact[] {
  const { kind, params, merchantId } = proposal;
  const { text } = APPROVAL_TEXTS[language];
  const fact = FACT_TEXTS[language].text;
  const links: Fact[] = [];
  if ('caseId' in params) {
    const href = `/console/operator/cases/${params.caseId}`;
    links.push([fact('caseStatus'), html`<a href="${href}">${text('case')}</a>`]);
  }
  const id = paymentRequestIdOf(proposal);
  if (merchantId !== null && id !== null && !kind.startsWith('ACCOUNT')) {
    const href = `/console/m/${merchantId}/payment-requests/${id}`;
    links.push([fact('paymentRequestId'), html`<a href="${href}">${text('paymentRequest')}</a>`]);
  }
  return links;
}

/** Parameters that the facts do not show. */
function paramsOf(visit: Visit, proposal: Proposal): Fact[] {
  const { params } = proposal;
  const { text } = APPROVAL_TEXTS[visit.language];
  const line = (value: string | number | null) => (value === null ? null : html`${value}`);
  return [
    [text('movement'), 'movement' in params && line(params.movement)],
    [text('refundReason'), line(refundReasonOf(visit, proposal))],
    [
      FACT_TEXTS[visit.language].text('accountVersion'),
      'version' in params && line(params.version),
    ],
    [text('note'), 'note' in params && line(params.note)],
  ];
}

function decision(visit: Visit, proposal: Proposal): string {
  const { text } = APPROVAL_TEXTS[visit.language];
  const { id, status, proposer, approvals } = proposal;
  if (status !== 'WAITING') return '';
  const party = partyOf(visit);
  const isProposer = isSameParty(proposer, party);
  const decides = mayDecide(visit, proposal);
  if (!decides && !isProposer) return '';
  if (!isFreshSignIn(visit.viewer.signedInAt, visit.now)) {
    return html`<p class="actions"><a class="button" href="/console/approvals/${id}/decide"
>${text('signInAgain')}</a></p>`;
  }
  if (isProposer) {
    return renderForm(visit, {
      action: `/approvals/${id}/withdraw`,
      items: [html`<p>${text('ownProposal')}</p>`],
      buttons: button(text('withdraw'), { kind: 'quiet' }),
    });
  }
  const hasApproved = approvals.some(({ subject }) => isSamePerson(subject, party.subject));
  if (hasApproved) return html`<p>${text('approvedAlready')}</p>`;
  const approving =
    party.subject === null ? html`<p>${text('byLink')}</p>` : approveForm(visit, proposal);
  return html`<section class="card"><h2>${text('decision')}</h2>!${approving}<hr>!${declineForm(
    visit,
    proposal,
  )}</section>`;
}

function approveForm(visit: Visit, { id, payloadHash, amountCents }: Proposal): string {
  const { text } = APPROVAL_TEXTS[visit.language];
  const sum = amountCents === null ? '' : ` ${amountText(visit, amountCents)}`;
  return renderForm(visit, {
    action: `/approvals/${id}/approve`,
    items: [
      { name: 'content', kind: 'hidden', value: payloadHash.toString('hex') },
      html`<p class="hint">${text('approveHint')}</p>`,
    ],
    buttons: button(text('approve') + sum),
  });
}

function declineForm(visit: Visit, { id }: Proposal): string {
  const { text } = APPROVAL_TEXTS[visit.language];
  return renderForm(visit, {
    action: `/approvals/${id}/decline`,
    items: [
      {
        name: 'reason',
        label: text('declineReason'),
        hint: text('declineHint'),
        maxLength: LONGEST_REASON,
        isRequired: true,
      },
    ],
    buttons: button(text('decline'), { kind: 'danger' }),
  });
}

/** Every fact that an act can rest on, and every parameter that a page shows. */
const FACT_NAMES = [
  ...(['paymentRequestId', 'refundId', 'caseKind', 'caseStatus', 'caseMovements'] as const),
  ...(['correctedMovement', 'splitParts', 'paymentRequestStatus', 'isPaid'] as const),
  ...(['askedCents', 'arrivedCents', 'leftCents', 'receivedCents', 'returnedCents'] as const),
  ...(['refundingCents', 'refundedCents', 'availableCents', 'refundStatus'] as const),
  ...(['refundCents', 'bookedCents', 'accountVersion', 'accountHolder'] as const),
  ...(['accountNumber', 'accountBic', 'accountEtransfer', 'accountStatementId'] as const),
  ...(['accountAddress', 'accountClosed', 'templateId'] as const),
  ...(['templateVersion', 'templateArchived'] as const),
] as const;
type FactName = (typeof FACT_NAMES)[number];

/** The facts that the act changes, before and after, and under them the facts that stay. */
function renderFacts(visit: Visit, proposal: Proposal): string {
  const { text } = APPROVAL_TEXTS[visit.language];
  const { factsBefore, factsAfter, outcome } = proposal;
  const now = outcome && 'factsNow' in outcome ? outcome.factsNow : undefined;
  const changed = new Set([
    ...changedFacts(factsBefore, factsAfter),
    ...(now ? changedFacts(factsBefore, now) : []),
  ]);
  const known = FACT_NAMES.filter((name) =>
    [factsBefore, factsAfter, now ?? {}].some((each) => (each[name] ?? null) !== null),
  );
  const valueIn = (each: Facts) => (name: FactName) => shownValue(visit, name, each[name] ?? null);
  const titleOf = (name: FactName) => FACT_TEXTS[visit.language].text(name);
  const columns: Column<FactName>[] = [
    rowHeader(text('fact'), (name) => html`${titleOf(name)}`),
    column(text('before'), valueIn(factsBefore)),
    column(text('after'), (name) => `<strong>${valueIn(factsAfter)(name)}</strong>`),
    ...(now ? [column(text('atExecution'), valueIn(now))] : []),
  ];
  const changing = known.filter((name) => changed.has(name));
  const staying = known.filter((name) => !changed.has(name));
  const compared = table(text('changes'), columns, changing);
  return html`<div class="compare">!${compared}</div>!${staysOf(
    text('stays'),
    staying.map((name) => [titleOf(name), valueIn(factsBefore)(name)]),
  )}`;
}

function staysOf(title: string, list: readonly Fact[]): string {
  if (list.length === 0) return '';
  return html`<details><summary>${title}</summary>!${facts(list)}</details>`;
}

function shownValue(visit: Visit, name: FactName, value: Facts[string]): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number' && name.endsWith('Cents')) return amount(visit, value);
  if (typeof value === 'boolean') return FACT_TEXTS[visit.language].text(value ? 'yes' : 'no');
  // A part a line.
  if (name === 'splitParts') {
    const parts = `${value}`.split('; ').map((part) => html`<li>${part}</li>`);
    return html`<ul class="plain">!${parts.join('')}</ul>`;
  }
  if (name.endsWith('Id')) return html`<span class="mono">${value}</span>`;
  return html`${name === 'accountNumber' ? shownAccount(`${value}`) : value}`;
}
