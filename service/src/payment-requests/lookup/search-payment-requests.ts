import type { Executor } from '#database/database.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { searchPatterns } from '#payment-requests/search-texts/search-text.ts';
import { findNames, findPaymentRequests, type NamedRequest } from './find-store.ts';

export type { NamedRequest };

import { findRelated, type RelatedHit } from './related-search-store.ts';
import {
  findBySearch,
  SEARCH_FIELDS,
  type SearchField,
  type Span,
  UNIQUE_FIELDS,
} from './search-store.ts';
import { readSearchTerms } from './search-terms.ts';
import { findByText } from './text-search-store.ts';

/** Finds the ids of payment requests that another part's rows name, as those of a bank do. */
export type FindElsewhere = (text: string) => Promise<readonly string[]>;

export interface SearchDeps {
  readonly db: Executor;
  /** The ids that a network finds by a bank's reference; left out: the network knows none. */
  readonly findElsewhere?: FindElsewhere;
}

export interface SearchScope {
  /** Only payment requests of these merchants; null: an operator searches all. */
  readonly merchantIds: readonly string[] | null;
  readonly most: number;
  /** Only those that were created or paid within it; left out: all. */
  readonly within?: Span;
  /** A person still types: parts of texts are found also beside a whole value. */
  readonly isTyping?: boolean;
}

export interface Found {
  readonly paymentRequest: PaymentRequest;
  readonly foundBy: SearchField | RelatedHit['foundBy'] | 'bankReference' | 'text';
}

/**
 * Searches payment requests by any value that people read out: id, short code or link, reference,
 * customer number, e-mail address, phone number, amount, and the references of refunds, movements,
 * webhooks and cases. References come first, then the payer's values, then amounts; the newest
 * first. If no whole value but an amount is found, parts of the payer's name, of references and of
 * messages follow (decision 0140).
 *
 * @returns at most `most`, as stored
 */
export async function searchPaymentRequests(
  { db, findElsewhere }: SearchDeps,
  searched: string,
  { merchantIds, most, within, isTyping = false }: SearchScope,
): Promise<readonly Found[]> {
  const terms = readSearchTerms(searched);
  if (terms === null || merchantIds?.length === 0) return [];
  const direct = await findBySearch(db, {
    terms,
    fields: SEARCH_FIELDS,
    merchantIds,
    most,
    within,
  });
  const related = await findRelated(db, terms, merchantIds);
  const elsewhere = (await findElsewhere?.(terms.text)) ?? [];
  const hits: { readonly id: string; readonly foundBy: Found['foundBy'] }[] = [
    ...direct.filter(({ foundBy }) => UNIQUE_FIELDS.has(foundBy)),
    ...related,
    ...elsewhere.map((id) => ({ id, foundBy: 'bankReference' as const })),
    ...direct,
  ];
  const patterns = searchPatterns(searched);
  if (patterns && (isTyping || hits.every(({ foundBy }) => foundBy === 'amount'))) {
    const texts = await findByText(db, { patterns, merchantIds, most, within });
    hits.push(...texts.map((id) => ({ id, foundBy: 'text' as const })));
  }
  const foundBy = new Map(hits.toReversed().map((hit) => [hit.id, hit.foundBy]));
  const ids = [...new Set(hits.map(({ id }) => id))];
  const found = await findInOrder(db, ids);
  return found
    .filter(({ merchant }) => merchantIds?.includes(merchant.id) ?? true)
    .filter((each) => !within || isWithin(each, within))
    .slice(0, most)
    .map((paymentRequest) => ({
      paymentRequest,
      foundBy: foundBy.get(paymentRequest.id) ?? 'id',
    }));
}

/** For hits by what belongs to a payment request: their statement reads no instants. */
function isWithin({ createdAt, payment }: PaymentRequest, { from, to }: Span): boolean {
  return [createdAt, payment?.completedAt].some((at) => at && at >= from && at < to);
}

/**
 * Searches the payment requests of all merchants by one of the named kinds of value alone.
 * @returns at most `most`, newest first, as stored
 */
export async function searchByFields(
  db: Executor,
  searched: string,
  fields: readonly SearchField[],
  most: number,
): Promise<readonly PaymentRequest[]> {
  const terms = readSearchTerms(searched);
  if (terms === null) return [];
  const hits = await findBySearch(db, { terms, fields, merchantIds: null, most });
  const found = await findInOrder(
    db,
    hits.map(({ id }) => id),
  );
  return found.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
}

/** The names of payment requests by their ids; unknown ones are left out. */
export async function readNames(
  db: Executor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedRequest>> {
  const found = ids.length === 0 ? [] : await findNames(db, ids);
  return new Map(found.map((each) => [each.id, each]));
}

/** Payment requests by their ids and in their order; unknown ones are left out. */
export async function findInOrder(
  db: Executor,
  ids: readonly string[],
): Promise<readonly PaymentRequest[]> {
  if (ids.length === 0) return [];
  const found = await findPaymentRequests(db, ids);
  const places = new Map(ids.map((id, place) => [id, place]));
  return found.sort((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0));
}
