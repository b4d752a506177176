import type { Executor } from '#database/database.ts';
import { isId } from '#lib/new-id.ts';
import type {
  BookEntry,
  BookFile,
  BookFileContents,
  BookPage,
  EntriesQuery,
  FilesQuery,
} from '../../network-books.ts';
import {
  type FileRow,
  findListedFile,
  type ListedStatement,
  listEntriesOf,
  listFiles,
  listStatementsOf,
  sumEntriesOf,
} from './file-list-store.ts';
import { findStatementFaults } from './statement-check-store.ts';
import { reasonOf } from './withheld-sentence.ts';

/** A page of the bank's files, newest first. */
export async function readFiles(db: Executor, asked: FilesQuery): Promise<BookPage<BookFile>> {
  const after = placeIn(asked.after);
  const rows = await listFiles(db, { ...asked, after, limit: asked.limit + 1 });
  return cut(rows.map(toBookFile), asked.limit);
}

function toBookFile({ withheld, ...file }: FileRow): BookFile {
  return { ...file, reason: reasonOf({ ...file, withheld }) };
}

/** A file with its statements and the sums of its entries; null: there is no such file. */
export async function readFile(db: Executor, id: string): Promise<BookFileContents | null> {
  const file = isId(id) ? await findListedFile(db, id) : null;
  if (!file) return null;
  const statements = await listStatementsOf(db, id);
  const faults = new Map(
    (await findStatementFaults(db, id)).map((each) => [each.statementId, each]),
  );
  return {
    file: toBookFile(file),
    statements: statements.map((statement) => {
      const { hasGap = false, missing = 0 } = faults.get(statement.id) ?? {};
      return { ...statement, differenceCents: differenceOf(statement), hasGap, missing };
    }),
    sums: await sumEntriesOf(db, id),
  };
}

/** A page of a file's entries, in the order of its statements. */
export async function readFileEntries(
  db: Executor,
  asked: EntriesQuery,
): Promise<BookPage<BookEntry>> {
  if (!isId(asked.fileId)) return { data: [], next: null };
  const after = placeIn(asked.after);
  return cut(await listEntriesOf(db, { ...asked, after, limit: asked.limit + 1 }), asked.limit);
}

export function differenceOf({
  openingCents,
  closingCents,
  entriesCents,
}: Pick<ListedStatement, 'openingCents' | 'closingCents' | 'entriesCents'>): number | null {
  if (openingCents === null || closingCents === null) return null;
  return closingCents - openingCents - entriesCents;
}

/** A place that is no identifier begins the list. */
const placeIn = (after: string | null): string | null =>
  after !== null && isId(after) ? after : null;

function cut<Item extends { readonly id: string }>(
  found: readonly Item[],
  limit: number,
): BookPage<Item> {
  const data = found.slice(0, limit);
  return { data, next: found.length > limit ? (data.at(-1)?.id ?? null) : null };
}
