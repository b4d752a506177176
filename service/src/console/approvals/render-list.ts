import { html } from 'ghtml';
import type { Proposal } from '#approvals/model/proposal.ts';
import { personOfActor } from '#audit/person-of-actor.ts';
import { badge, type Tone } from '#console/components/badge.ts';
import { emptyState } from '#console/components/empty-state.ts';
import { instant } from '#console/components/instant.ts';
import { money } from '#console/components/money.ts';
import { type Column, column, moneyColumn, rowHeader, table } from '#console/components/table.ts';
import type { Visit } from '#console/shell/visit.ts';
import { APPROVAL_TEXTS } from './texts.ts';

export const TABS = ['waiting', 'mine', 'done'] as const;
export type Tab = (typeof TABS)[number];

const TONES: Readonly<Record<Proposal['status'], Tone>> = {
  WAITING: 'warning',
  APPROVED: 'warning',
  EXECUTED: 'good',
  FAILED: 'bad',
  DECLINED: 'neutral',
  WITHDRAWN: 'neutral',
  EXPIRED: 'neutral',
};

export function proposalBadge({ language }: Visit, { status }: Proposal): string {
  return badge(APPROVAL_TEXTS[language].text(`status.${status}`), TONES[status]);
}

/** The page of all proposals that the person may see. */
export function renderProposals(
  visit: Visit,
  tab: Tab,
  proposals: readonly Proposal[],
  merchantNames: ReadonlyMap<string, string>,
): string {
  const { text } = APPROVAL_TEXTS[visit.language];
  const tabs = TABS.map((each) => {
    const href = `/console/approvals?show=${each}`;
    const mark = each === tab ? ' aria-current="page"' : '';
    return html`<li><a href="${href}"!${mark}>${text(`tab.${each}`)}</a></li>`;
  });
  const list =
    proposals.length === 0
      ? emptyState(text(`empty.${tab}`))
      : table(text(`tab.${tab}`), columnsOf(visit, tab, merchantNames), proposals);
  return html`<h1>${text('title')}</h1><p class="quiet">${text('lead')}</p>
<nav aria-label="${text('tabs')}"><ul class="tabs">!${tabs.join('')}</ul></nav>!${list}`;
}

function columnsOf(
  visit: Visit,
  tab: Tab,
  merchantNames: ReadonlyMap<string, string>,
): readonly Column<Proposal>[] {
  const { text } = APPROVAL_TEXTS[visit.language];
  const merchantOf = ({ merchantId }: Proposal) =>
    merchantId === null ? text('unknownMerchant') : (merchantNames.get(merchantId) ?? merchantId);
  const isWaiting = tab === 'waiting';
  const columns: readonly (Column<Proposal> | null)[] = [
    rowHeader(
      text('act'),
      ({ id, kind }) => html`<a href="/console/approvals/${id}">${text(`kind.${kind}`)}</a>`,
    ),
    moneyColumn(text('sum'), ({ amountCents }) =>
      amountCents === null ? '–' : money(visit, amountCents),
    ),
    column(text('merchant'), (proposal) => html`${merchantOf(proposal)}`),
    tab === 'mine'
      ? null
      : column(
          text('proposer'),
          ({ proposer: { actor } }) => html`${personOfActor(actor) ?? actor}`,
        ),
    tab === 'done'
      ? null
      : column(text('proposed'), ({ proposedAt }) => instant(visit, proposedAt)),
    isWaiting
      ? column(text('expires'), ({ expiresAt }) => instant(visit, expiresAt))
      : column(text('ended'), ({ endedAt }) => instant(visit, endedAt)),
    isWaiting ? null : column(text('status'), (proposal) => proposalBadge(visit, proposal)),
  ];
  return columns.filter((column) => column !== null);
}
