import { setImmediate } from 'node:timers/promises';
import type { Executor } from '#database/database.ts';
import { formatAmount } from '#lib/money.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import type { OtherEntry } from '../../network-books.ts';
import { distanceInText, lookAlikesIn, mayHoldReference } from '../references/look-alikes.ts';
import { openText } from './text-box.ts';
import {
  findOpenLike,
  listUnmatchedEntries,
  type UnmatchedEntry as StoredEntry,
} from './unmatched-store.ts';

/** Two swapped digits and a wrong one; more letters would fit the references of others. */
const MOST_LETTERS = 3;
/** Each is compared with 50 requests of its amount, in some 13 ms for the longest text. */
const MOST_COMPARED = 300;

export type UnmatchedEntry = OtherEntry & Pick<StoredEntry, 'fingerprint'>;

export interface UnmatchedQuery {
  readonly limit: number;
  /** Part of the text, of the bank's reference or of the amount; null: all. */
  readonly search: string | null;
  /** Those with these ids alone; null: all. */
  readonly ids?: readonly string[] | null;
}

/** Entries read for a search; the text is encrypted, so that no index finds it. */
const MOST_SEARCHED = 10_000;
/** Some 2 ms: the calls of others wait no longer. */
const OPENED_AT_ONCE = 200;

/**
 * The entries of the last 30 days that matched nothing, latest booking day first, with the payment
 * requests that their payers may have meant. Nothing is matched by it.
 */
export async function listUnmatched(
  db: Executor,
  key: RotatingKey,
  { limit, search, ids = null }: UnmatchedQuery,
): Promise<UnmatchedEntry[]> {
  const isWhole = search === null && ids === null;
  const stored = await listUnmatchedEntries(db, isWhole ? limit : MOST_SEARCHED);
  const opened = await openAll(
    key,
    stored.filter(({ id }) => ids === null || ids.includes(id)),
  );
  const found = opened.filter((entry) => isFound(entry, search)).slice(0, limit);
  const suggestions = await suggest(db, found);
  return found.map((entry) => ({ ...entry, suggestions: suggestions.get(entry.id) ?? [] }));
}

type Opened = Omit<StoredEntry, 'textBox'> & { readonly text: string | null };

function isFound({ text, bankReference, amountCents }: Opened, search: string | null): boolean {
  if (search === null) return true;
  const wanted = plain(search);
  const amount = formatAmount(amountCents);
  return [text ?? '', bankReference ?? '', amount].some((each) => plain(each).includes(wanted));
}

const plain = (text: string): string => text.replaceAll(/\s/g, '').toLowerCase();

/** Other work of the process runs between its pieces. */
async function openAll(key: RotatingKey, stored: readonly StoredEntry[]): Promise<Opened[]> {
  const opened: Opened[] = [];
  for (const [n, { textBox, ...entry }] of stored.entries()) {
    if (n % OPENED_AT_ONCE === 0) await setImmediate();
    opened.push({ ...entry, text: openText(key, entry.id, textBox) });
  }
  return opened;
}

async function suggest(
  db: Executor,
  entries: readonly Opened[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const written = entries
    .map(({ text, ...entry }) => ({ ...entry, text: text ?? '' }))
    .filter(({ text }) => mayHoldReference(text, MOST_LETTERS))
    .slice(0, MOST_COMPARED);
  const like = await findOpenLike(
    db,
    written.map(({ account, amountCents, text }) => ({
      account,
      amountCents,
      references: lookAlikesIn(text),
    })),
  );
  const suggestions = new Map<string, readonly string[]>();
  for (const [n, { id, text }] of written.entries()) {
    await setImmediate();
    const near = (like[n] ?? [])
      .map((each) => ({ ...each, letters: distanceInText(each.reference, text) }))
      .filter(({ letters, isLookAlike }) => isLookAlike || letters <= MOST_LETTERS)
      .sort((one, other) => one.letters - other.letters);
    suggestions.set(
      id,
      near.map(({ paymentRequestId }) => paymentRequestId),
    );
  }
  return suggestions;
}
