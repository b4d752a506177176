import { CASE_KINDS } from '#cases/model/case-kinds.ts';
import type { CaseFilters, CaseState } from '#cases/read/case-list-store.ts';
import type { Visit } from '#console/shell/visit.ts';
import { isDate, nextDate, startOfDate } from '#ledger/model/day.ts';
import { isId } from '#lib/new-id.ts';
import type { OperatorCaseKind } from '#telemetry/metrics/network-metrics.ts';

/** The parameters of a list of cases, as they were sent. */
export interface SentCaseFilters {
  readonly state: string;
  readonly kind: string;
  readonly merchant: string;
  readonly paymentRequest: string;
  readonly from: string;
  readonly to: string;
}
export type CaseFilterName = keyof SentCaseFilters;
export type CaseFilterFault = 'date' | 'order' | 'id' | 'kind' | 'state';

export interface ReadCaseFilters {
  readonly sent: SentCaseFilters;
  readonly filters: CaseFilters;
  readonly faults: Partial<Record<CaseFilterName, CaseFilterFault>>;
}

const STATES: readonly CaseState[] = ['open', 'settled', 'all'];
const EARLIEST_DATE = /^2\d{3}-\d{2}-\d{2}$/;

/**
 * Reads the filters of a list's address.
 *
 * @param merchantId a merchant's own list; null: the operator's, where the address may name one
 */
export function readCaseFilters(
  { query, timeZone }: Pick<Visit, 'query' | 'timeZone'>,
  merchantId: string | null,
): ReadCaseFilters {
  const value = (name: string) => query.get(name)?.trim() ?? '';
  const sent: SentCaseFilters = {
    state: value('state') || 'open',
    kind: value('kind'),
    merchant: merchantId === null ? value('merchant') : '',
    paymentRequest: value('paymentRequest'),
    from: value('from'),
    to: value('to'),
  };
  const state = STATES.find((each) => each === sent.state);
  const kind = (Object.keys(CASE_KINDS) as OperatorCaseKind[]).find((each) => each === sent.kind);
  const isDay = (date: string) => EARLIEST_DATE.test(date) && isDate(date);
  const areDays = isDay(sent.from) && isDay(sent.to);
  const faults: ReadCaseFilters['faults'] = {
    ...(!state && { state: 'state' as const }),
    ...(sent.kind !== '' && !kind && { kind: 'kind' as const }),
    ...(sent.paymentRequest !== '' &&
      !isId(sent.paymentRequest) && { paymentRequest: 'id' as const }),
    ...(sent.from !== '' && !isDay(sent.from) && { from: 'date' as const }),
    ...(sent.to !== '' && !isDay(sent.to) && { to: 'date' as const }),
    ...(areDays && sent.to < sent.from && { to: 'order' as const }),
  };
  return {
    sent,
    faults,
    filters: {
      state: state ?? 'open',
      kinds: kind ? [kind] : null,
      merchantId: merchantId ?? (sent.merchant || null),
      paymentRequestId: faults.paymentRequest ? null : sent.paymentRequest || null,
      openedFrom: isDay(sent.from) ? startOfDate(sent.from, timeZone) : null,
      openedTo: isDay(sent.to) ? startOfDate(nextDate(sent.to), timeZone) : null,
    },
  };
}
