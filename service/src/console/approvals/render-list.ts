import { html } from 'ghtml';
import type { Proposal } from '#approvals/model/proposal.ts';
import { actorName } from '#console/components/act-sentence.ts';
import { badge, toneOf } from '#console/components/badges.ts';
import { emptyState, tabs } from '#console/components/parts.ts';
import { table } from '#console/components/table.ts';
import { relativeTime } from '#console/components/values.ts';
import { type ListColumns, show, titled } from '#console/lists/columns.ts';
import type { Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';

const REFUND_REASON_TEXTS = pageTexts('console.refunds.reasons');

export const TABS = ['waiting', 'mine', 'done'] as const;
export type Tab = (typeof TABS)[number];

export function proposalBadge({ language }: Visit, { status }: Proposal): string {
  return badge(APPROVAL_TEXTS[language].text(`status.${status}`), toneOf(status));
}

/** Proposals that the person may see, with the names and payment requests that they are about. */
export interface ListedProposals {
  readonly proposals: readonly Proposal[];
  readonly merchantNames: ReadonlyMap<string, string>;
  readonly paymentRequests: ReadonlyMap<string, PaymentRequest>;
}

/** The page of all proposals that the person may see. */
export function renderProposals(visit: Visit, tab: Tab, listed: ListedProposals): string {
  const { text } = APPROVAL_TEXTS[visit.language];
  const links = TABS.map((each) => ({
    href: `/console/approvals?show=${each}`,
    name: text(`tab.${each}`),
    isCurrent: each === tab,
  }));
  const list =
    listed.proposals.length === 0
      ? emptyState(text(`empty.${tab}`), tab === 'waiting' ? html`<p>${text('examples')}</p>` : '')
      : table(text(`tab.${tab}`), titled(visit, text, columnsOf(tab, listed)), listed.proposals);
  return html`!${tabs(text('tabs'), links)}<div class="list-rows">!${list}</div>`;
}

/** null: the act is about no payment request. */
export function paymentRequestIdOf({ params, factsBefore }: Proposal): string | null {
  const id = 'paymentRequestId' in params ? params.paymentRequestId : factsBefore.paymentRequestId;
  return typeof id === 'string' ? id : null;
}

/** Why money is given back, in words; null: the act is no refund. */
export function refundReasonOf({ language }: Visit, { params }: Proposal): string | null {
  return 'reason' in params ? REFUND_REASON_TEXTS[language].text(params.reason) : null;
}

/** The number by which the merchant knows the payment; null: there is none. */
export function invoiceOf(about: PaymentRequest | null | undefined): string | null {
  return about?.invoiceNumber ?? about?.merchantTransactionId ?? null;
}

function columnsOf(
  tab: Tab,
  { merchantNames, paymentRequests }: ListedProposals,
): ListColumns<Proposal> {
  const about = (proposal: Proposal) => paymentRequests.get(paymentRequestIdOf(proposal) ?? '');
  const merchantOf = ({ merchantId }: Proposal, { language }: Visit) =>
    merchantId === null
      ? APPROVAL_TEXTS[language].text('unknownMerchant')
      : (merchantNames.get(merchantId) ?? merchantId);
  return {
    act: show.cell((proposal, visit) => actCell(visit, proposal)),
    payer: show.text((proposal) => about(proposal)?.payer.name || null),
    invoice: show.text((proposal) => invoiceOf(about(proposal))),
    sum: show.money(({ amountCents }) => amountCents),
    merchant: show.text(merchantOf),
    ...(tab !== 'mine' && {
      proposer: show.text<Proposal>(({ proposer }, visit) => actorName(visit, proposer.actor)),
    }),
    ...(tab !== 'done' && {
      proposed: show.cell<Proposal>((proposal, visit) => ageCell(visit, proposal)),
    }),
    ...(tab !== 'waiting' && {
      status: show.cell<Proposal>((proposal, visit) => stateCell(visit, proposal)),
    }),
  };
}

/** The act, and the reason that the proposer gave. */
function actCell(visit: Visit, proposal: Proposal): string {
  const { id, kind, params } = proposal;
  const { text } = APPROVAL_TEXTS[visit.language];
  const why = refundReasonOf(visit, proposal) ?? ('note' in params ? params.note : null);
  const link = html`<a class="row" href="/console/approvals/${id}">${text(`kind.${kind}`)}</a>`;
  return link + (why === null ? '' : below(html`${why}`));
}

function ageCell(visit: Visit, { proposedAt, expiresAt, endedAt }: Proposal): string {
  const { text } = APPROVAL_TEXTS[visit.language];
  const end = html`${text('expires')} !${relativeTime(visit, expiresAt)}`;
  return relativeTime(visit, proposedAt) + (endedAt === null ? below(end) : '');
}

function stateCell(visit: Visit, proposal: Proposal): string {
  const { endedAt } = proposal;
  return (
    proposalBadge(visit, proposal) + (endedAt === null ? '' : below(relativeTime(visit, endedAt)))
  );
}

/** A smaller line of a cell, as HTML. */
function below(line: string): string {
  return html`<br><span class="small">!${line}</span>`;
}

export const APPROVAL_TEXTS = pageTexts('console.approvals');
