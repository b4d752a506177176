import type { Earlier } from '#cases/read/earlier-bookings.ts';
import { findEarlier, findReplaced } from '#cases/read/find-replaced.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { ActOfCase } from '../money-deps.ts';
import type { TypedSettlement } from './typed-settlement.ts';
import { type Candidate, type CaseView, viewCase, viewNamed } from './view-case.ts';

export type SettlePageDeps = Pick<ConsoleDeps, 'db' | 'money' | 'currency'>;

/** A case with all that the page of one settlement shows. */
export interface SettlementView {
  readonly view: CaseView;
  /** The payment request that the act changes; null: none, or several. */
  readonly target: Candidate | null;
  /** The earlier bookings that a replacement can take out of the ledger. */
  readonly earlier: readonly Earlier[];
  /** The payment requests of the parts that were typed. */
  readonly named: readonly Candidate[];
}

/** @throws Problem ROUTE_NOT_FOUND for an unknown case */
export async function viewSettlement(
  deps: SettlePageDeps,
  visit: Visit,
  act: ActOfCase,
  { paymentRequest, movement, parts }: Omit<TypedSettlement, 'note' | 'formId'>,
): Promise<SettlementView> {
  const view = await viewCase(deps, visit, visit.params.id ?? '', paymentRequest);
  const { candidates, read } = view;
  const none = { view, target: null, earlier: [], named: [] };
  switch (act) {
    case 'accept':
    case 'refund':
    case 'close':
      return { ...none, target: candidates.find(({ origin }) => origin === 'NAMED') ?? null };
    case 'assign': {
      const target = candidates.find((each) => each.paymentRequest.id === paymentRequest);
      return { ...none, target: target ?? null };
    }
    case 'replace': {
      const earlier = await findEarlier(deps.db, read.operatorCase);
      const chosen = chosenOf(earlier, movement);
      if (!chosen) return { ...none, earlier };
      const { networkReference } = chosen.old;
      const replaced = await findReplaced(deps.db, read.operatorCase, networkReference);
      const [target = null] = await viewNamed(deps, visit, view, [
        replaced?.paymentRequestId ?? '',
      ]);
      return { ...none, earlier, target };
    }
    case 'split': {
      const ids = parts?.map(({ id }) => id);
      return { ...none, named: ids ? await viewNamed(deps, visit, view, ids) : candidates };
    }
  }
}

/** The earlier money that the form means: the only one, or the one that the person chose. */
export function chosenOf(earlier: readonly Earlier[], movement: string): Earlier | null {
  if (earlier.length === 1) return earlier[0] ?? null;
  return earlier.find(({ old }) => old.networkReference === movement) ?? null;
}
