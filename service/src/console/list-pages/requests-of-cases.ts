import { html } from 'ghtml';
import type { CaseWithRequests } from '#cases/read/case-list.ts';
import { amountText, mayNamePayer, requestName, requestPath } from '#console/components/values.ts';
import type { ListRows } from '#console/lists/list-spec.ts';
import type { Named } from '#console/lists/named-rows.ts';
import { addressOf } from '#console/model/address.ts';
import type { Visit } from '#console/shell/visit.ts';
import { type NamedRequest, readNames } from '#payment-requests/lookup/search-payment-requests.ts';

export type ListedCase = Named<CaseWithRequests> & { readonly requests?: readonly NamedRequest[] };

/** Gives cases the payment requests that they name, with what these ask for. */
export function withNames(rows: ListRows<Named<CaseWithRequests>>): ListRows<ListedCase> {
  return {
    ...rows,
    async readPage(db, owner, query, faults) {
      const page = await rows.readPage(db, owner, query, faults);
      const names = await readNames(db, [...new Set(page.data.flatMap((each) => each.requestIds))]);
      const requestsOf = ({ requestIds }: CaseWithRequests) =>
        requestIds.flatMap((id) => names.get(id) ?? []);
      return { ...page, data: page.data.map((each) => ({ ...each, requests: requestsOf(each) })) };
    },
  };
}

/** The merchant of money on a wrong account is another than that of the payment request. */
export function requestLines(
  { kind, merchantId, requests = [] }: ListedCase,
  visit: Visit,
): string | null {
  const lines = requests.map((request) => {
    const isOther = kind === 'WRONG_ACCOUNT' || merchantId !== request.merchantId;
    const href = isOther
      ? addressOf('/console/search', { found: request.id })
      : requestPath(merchantId, request.id);
    const name = requestName(request, mayNamePayer(visit));
    return html`<a href="${href}">${name}</a> ${amountText(visit, request.amountCents)}`;
  });
  return lines.join('<br>') || null;
}
