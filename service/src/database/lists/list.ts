import { hash } from 'node:crypto';
import type { Executor } from '#database/database.ts';
import type { CsvForm } from '#lib/csv.ts';
import {
  CURSOR_FAULTS,
  cutPage,
  decodeCursor,
  encodeCursor,
  type Page,
  type PlaceForm,
} from '#lib/cursor.ts';
import { throwFaults } from '#lib/first-faults.ts';
import type { FieldFault } from '#lib/problem.ts';

/** The most rows of a page unless a call says otherwise (contract §4, List). */
export const DEFAULT_LIMIT = 20;
/** With fewer matches than this, a batch of all rows may end early. */
const ENOUGH = 100;

/** The query of a store for the rows of a page. */
export interface PageQuery<Filters, Place, Owner = string> {
  /** The merchant whose rows the page has. */
  readonly merchantId: Owner;
  readonly filters: Filters;
  /** The last row of the previous page; null for the first page. */
  readonly after: Place | null;
  /** The most rows of a page. */
  readonly limit: number;
  /** A page may end early with `enough` rows; only an empty page is the end. Default: `limit`. */
  readonly enough?: number;
}

/** The parameters of a page in the query of each list. */
interface PageParameters {
  readonly limit?: number;
  readonly cursor?: string;
}

export interface ReadFilters<Filters> {
  readonly filters: Filters;
  readonly faults: readonly FieldFault[];
}

/** A list: what differs from the other lists. */
export interface ListDescription<Query, Filters, Place, Row, Owner> {
  /** Names the list in its address and its files. */
  readonly name: string;
  /** The JSON schema of the parameters. */
  readonly schema: QuerySchema;
  /**
   * Reads the filters, with the faults that no schema finds.
   * @param faults the faults that the schema found: `query` has members of a wrong type then
   */
  readFilters(query: Partial<Query>, faults: readonly FieldFault[]): ReadFilters<Filters>;
  /** Names the list with its filters: a cursor of other filters is refused. */
  identityOf(merchantId: Owner, filters: Filters): unknown;
  readonly place: PlaceForm<Place>;
  placeOf(row: Row): Place;
  /** Reads the rows of a page; the array of before stands for rows that have not changed. */
  find(db: Executor, page: PageQuery<Filters, Place, Owner>): Promise<readonly Row[]>;
  readonly csv: CsvForm<Row>;
}

/** The part of a query's schema that is needed here. */
export interface QuerySchema {
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Reads all rows of a list, a batch at a time. */
export interface AllRows<Row> {
  /** Up to `limit` rows after a row; from the start for null. No rows: the list is over. */
  next(db: Executor, after: Row | null, limit: number): Promise<readonly Row[]>;
}

/** A list whose rows can be read one after another. */
export interface WholeList<Query, Row, Owner = string> {
  readonly name: string;
  readonly schema: QuerySchema;
  readonly csv: CsvForm<Row>;
  /**
   * Makes the reader of all rows that match.
   * @throws Problem VALIDATION_ERROR with all faults at once, named by the parameters
   */
  readAll(merchantId: Owner, query: Partial<Query>, faults: readonly FieldFault[]): AllRows<Row>;
}

/** A list that can be read in pages too. */
export interface List<Query, Row, Owner = string> extends WholeList<Query, Row, Owner> {
  /**
   * Reads a page (contract §4, List).
   *
   * @param query  the parameters as they were sent
   * @param faults the faults that the schema found in them
   * @throws Problem VALIDATION_ERROR with all faults at once, named by the parameters
   */
  readPage(
    db: Executor,
    merchantId: Owner,
    query: Partial<Query>,
    faults: readonly FieldFault[],
  ): Promise<Page<Row>>;
}

/** Makes a list of its description: filters → rows → a page with its cursor, or all rows. */
export function makeList<Query extends PageParameters, Filters, Place, Row, Owner = string>(
  description: ListDescription<Query, Filters, Place, Row, Owner>,
): List<Query, Row, Owner> {
  const { name, schema, csv, place, placeOf, find } = description;
  /** The pages of rows that `find` still has: an unchanged page is one object, rendered once. */
  const pages = new WeakMap<readonly Row[], Page<Row>>();
  const fingerprintOf = (merchantId: Owner, filters: Filters) =>
    hash('sha256', JSON.stringify(description.identityOf(merchantId, filters)), 'buffer');

  function read(merchantId: Owner, query: Partial<Query>, schemaFaults: readonly FieldFault[]) {
    const { filters, faults } = description.readFilters(query, schemaFaults);
    const found = [...schemaFaults, ...faults];
    const { cursor } = query;
    const bytes =
      typeof cursor === 'string'
        ? decodeCursor(cursor, fingerprintOf(merchantId, filters), place.size)
        : null;
    if (typeof bytes !== 'string') {
      throwFaults(found);
      return { filters, after: bytes && place.read(bytes) };
    }
    // Filters that cannot be read differ from the cursor's: the cursor has no fault then.
    const isRefused = bytes === 'NOT_A_CURSOR' || found.length === 0;
    throwFaults(isRefused ? [...found, CURSOR_FAULTS[bytes]] : found);
    return { filters, after: null };
  }

  return {
    name,
    schema,
    csv,
    async readPage(db, merchantId, query, faults) {
      const { filters, after } = read(merchantId, query, faults);
      const { limit = DEFAULT_LIMIT } = query;
      const found = await find(db, { merchantId, filters, after, limit: limit + 1 });
      const known = pages.get(found);
      if (known) return known;
      const page = cutPage(found, limit, (last) =>
        encodeCursor(fingerprintOf(merchantId, filters), place.write(placeOf(last))),
      );
      pages.set(found, page);
      return page;
    },
    readAll(merchantId, query, faults) {
      const found = [...pagingFaults(query, ['limit', 'cursor']), ...faults];
      const { filters } = read(merchantId, query, found);
      return {
        next(db, last, limit) {
          const after = last && placeOf(last);
          return find(db, { merchantId, filters, after, limit, enough: ENOUGH });
        },
      };
    },
  };
}

/** All rows have no pages, so the parameters of a page are refused. */
export function pagingFaults<Name extends string>(
  query: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
): FieldFault[] {
  return names
    .filter((field) => query[field] !== undefined)
    .map((field) => ({
      field,
      code: 'INVALID_VALUE',
      message: `Leave ${field} out: text/csv gives all that match.`,
    }));
}
