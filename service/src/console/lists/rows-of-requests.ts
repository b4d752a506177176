import { mayNamePayer, requestName, whole } from '#console/components/values.ts';
import type { Executor } from '#database/database.ts';
import { type NamedRequest, readNames } from '#payment-requests/lookup/search-payment-requests.ts';
import { cell, text } from './columns.ts';
import type { ListFilter, ListRows } from './list-spec.ts';

/** A row with the payment request that it is about; left out: it is about none. */
export type OfRequest<Row> = Row & { readonly request?: NamedRequest | undefined };

/** Columns by which people know a payment request, where an id says nothing to them. */
export const PEOPLE = {
  payer: text(({ request }: OfRequest<unknown>) => request?.payer.name ?? null),
  invoiceNumber: cell(({ request }: OfRequest<unknown>) =>
    request?.invoiceNumber ? whole(request.invoiceNumber) : null,
  ),
};

/** The filter by a payment request, which its chip names as people know it. */
export const REQUEST_FILTER: ListFilter = {
  name: 'paymentRequest',
  parameter: 'paymentRequestId',
  form: 'id',
  async nameOf(db, id, visit) {
    const request = (await readNames(db, [id])).get(id);
    const isShown = visit.merchant === null || request?.merchantId === visit.merchant.id;
    return isShown && request ? requestName(request, mayNamePayer(visit)) : undefined;
  },
};

/** Gives rows their payment requests. @param owner null: those of all merchants */
export async function rowsOfRequests<Row extends object>(
  db: Executor,
  owner: string | null,
  rows: readonly Row[],
  idOf: (row: Row) => string | null,
): Promise<OfRequest<Row>[]> {
  const ids = new Set(rows.map(idOf).filter((id) => id !== null));
  const names = await readNames(db, [...ids]);
  return rows.map((row) => {
    const request = names.get(idOf(row) ?? '');
    return { ...row, ...((owner ?? request?.merchantId) === request?.merchantId && { request }) };
  });
}

/** Gives the rows of each page their payment requests; the file has the ids. */
export function withRequests<Row extends object>(
  rows: ListRows<Row>,
  idOf: (row: Row) => string | null,
): ListRows<OfRequest<Row>> {
  return {
    ...rows,
    async readPage(db, owner, query, faults) {
      const page = await rows.readPage(db, owner, query, faults);
      return { ...page, data: await rowsOfRequests(db, owner, page.data, idOf) };
    },
  };
}
