import { html } from 'ghtml';
import { amountText, instant } from '#console/components/values.ts';
import type { Visit } from '#console/shell/visit.ts';
import { isUnfinished } from '#payment-requests/model/statuses.ts';
import type { RequestDetails } from './read-details.ts';
import { REASON_TEXTS, REQUEST_TEXTS } from './texts.ts';

/** What a person should know before all else, under the title of the page. */
export function stateNotices(visit: Visit, shown: RequestDetails): string {
  const { text } = REQUEST_TEXTS[visit.language];
  const { paymentRequest: p, refunds, openRefund, waitingCents, erasure } = shown;
  const [last] = refunds;
  const { received, cases } = { received: p.sums.receivedCents, cases: casesPath(visit) };
  const isPart = !p.payment && received > 0 && isUnfinished(p.status);
  const reason = last?.statusReasonCode;
  const why = reason ? REASON_TEXTS[visit.language].text(`refund.${reason}`) : '';
  const amount = (cents: number) => ({ amount: amountText(visit, cents) });
  const link = (path: string | false, words: string) =>
    path && html` <a href="/console/${path}">${words}</a>`;
  const proposal = openRefund && visit.can('approvals.read') && `approvals/${openRefund.id}`;
  const notices = [
    last?.status === 'FAILED' && [
      'bad',
      text('refundFailed', amount(last.amountCents)),
      html` ${why}`,
    ],
    openRefund && [
      'warning',
      text('refundWaits', amount(openRefund.amountCents ?? 0)),
      link(proposal || false, text('openProposal')),
    ],
    waitingCents > 0 && [
      'warning',
      text('moneyWaits', amount(waitingCents)),
      link(cases && `${cases}?paymentRequest=${p.id}`, text('openCase')),
    ],
    isPart && ['info', text('stillMissing', amount(p.amountCents - received)), ''],
    erasure && [
      'warning',
      `${text('erasureWaits')} ${text(`erasure.${erasure.because}`)}`,
      ` ${instant(visit, erasure.askedAt)}`,
    ],
  ];
  return notices
    .map((each) => each && html`<p class="notice ${each[0]}">${each[1]}!${each[2] || ''}</p>`)
    .filter(Boolean)
    .join('');
}

function casesPath({ can, merchantId }: Visit): string | false {
  return can('operator.cases.read')
    ? 'operator/cases'
    : can('cases.read') && `m/${merchantId}/cases`;
}
