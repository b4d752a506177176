import type { Movement } from '#e-transfer/bank-transfer/entries/model/movement.ts';
import type { ShownRequest } from '#e-transfer/bank-transfer/matching/decide-movement.ts';
import type { EntryOutcome, WaitingEntry } from '#e-transfer/bank-transfer/matching/entry-store.ts';
import type { Clock } from '#lib/clock.ts';
import { type Journal, Table, unnest } from './journal.ts';
import type { Handlers } from './memory-database.ts';

export interface EntryRow extends WaitingEntry {
  readonly fileId: string;
  readonly rank: number;
  readonly outcome: EntryOutcome | null;
  readonly movementId: string | null;
}

export interface MovementRow extends Movement {
  readonly position: number;
  readonly isReported: boolean;
  readonly createdAt: Date;
  readonly correctedIds: readonly string[];
}

export interface ShownRow extends ShownRequest {
  readonly receivedCents: number;
}

/** Lists of texts reach the database as one text with blanks. */
interface Written
  extends Omit<Movement, 'creditorReferences' | 'candidates' | 'summed' | 'details'> {
  readonly creditorReferences: string;
  readonly candidates: string;
  readonly summed: string;
  readonly details: string;
}

const INSERTED = [
  'id',
  'account',
  'direction',
  'amountCents',
  'currency',
  'bookingDate',
  'bookedAt',
  'creditorReferences',
  'endToEndHash',
  'bankReference',
  'entryReference',
  'batchReference',
  'networkReference',
  'institution',
  'partyBox' as never,
  'isConfirmed',
  'isInStatement',
  'isReturn',
  'returnReason',
  'outcome',
  'paymentRequestId',
  'candidates',
  'sumCents',
  'summed',
  'returnedId',
  'feeCents',
  'details',
] as const satisfies readonly (keyof Written)[];

const UPDATED = [
  'id',
  'bankReference',
  'entryReference',
  'batchReference',
  'creditorReferences',
  'endToEndHash',
  'partyBox' as never,
  'isConfirmed',
  'isInStatement',
  'outcome',
  'paymentRequestId',
  'candidates',
  'sumCents',
  'summed',
  'returnedId',
  'feeCents',
  'bookingDate',
] as const satisfies readonly (keyof Written)[];

const listOf = (text: string): string[] => (text === '' ? [] : text.split(' '));

/** Files are staged already: matching and reporting begin with their entries. */
export class BankTables {
  readonly entries: Table<EntryRow>;
  readonly movements: Table<MovementRow>;
  readonly shown: Table<ShownRow>;
  readonly merchantOf: (account: string) => string;
  readonly #clock: Clock;
  #position = 0;

  constructor(journal: Journal, clock: Clock, merchantOf: (account: string) => string) {
    this.entries = new Table(journal);
    this.movements = new Table(journal);
    this.shown = new Table(journal);
    this.merchantOf = merchantOf;
    this.#clock = clock;
  }

  filesToMatch(): string[] {
    return [...new Set(this.entries.where(isWaiting).map(({ fileId }) => fileId))];
  }

  /** The models of matching/entry-store.ts, request-store.ts and of the requests' own store. */
  handlers(): Handlers {
    return {
      ...this.#movementHandlers(),
      'bank-file-lock': () => [{ state: 'STAGED' }],
      'bank-accounts-lock': ([accounts]) =>
        (accounts as string[]).map((key) => ({ key, merchantId: this.merchantOf(key) })),
      // No merchant has an Interac address.
      'bank-etransfer-proofs-find': () => [],
      'bank-entries-find-waiting': ([fileId, most]) =>
        this.entries
          .where((row) => isWaiting(row) && row.fileId === fileId)
          .sort(byRank)
          .slice(0, Number(most)),
      'bank-entries-find-claims': ([movements, statements]) =>
        this.entries.where(
          ({ movementId, statementId }) =>
            movementId !== null &&
            (movements as string[]).includes(movementId) &&
            (statements as string[]).includes(statementId),
        ),
      'bank-entries-mark-matched': (values) => {
        const names = ['id', 'outcome', 'movementId'] as const;
        for (const { id, ...changes } of unnest<EntryRow>(values, names)) {
          this.entries.patch(id, changes);
        }
        return [];
      },
      'bank-matching-lock-requests': ([references]) =>
        this.shown.where(({ reference }) => (references as string[]).includes(reference)),
      'bank-matching-find-candidates': () => [],
      'network-money-save-there': ([ids, sums]) => {
        for (const [index, id] of (ids as string[]).entries()) {
          const receivedCents = Number((sums as number[])[index]);
          if (this.shown.get(id)) this.shown.patch(id, { receivedCents });
        }
        return [];
      },
      'bank-transfer-request-mark-announced': () => [],
    };
  }

  /** The models of matching/movement-store.ts and report-store.ts. */
  #movementHandlers(): Handlers {
    const find = (isWanted: (row: MovementRow) => boolean) => this.movements.where(isWanted);
    return {
      'bank-movements-find-known': (values) => find((row) => isKnownBy(row, values)),
      'bank-movements-find-of-requests': ([ids]) =>
        find(({ paymentRequestId: id }) => id !== null && (ids as string[]).includes(id)),
      'bank-movements-find-by-end-to-end': ([hashes]) =>
        find((row) => row.direction === 'CREDIT' && isIn(row.endToEndHash, hexOf(hashes))),
      'bank-movements-find-network-references': ([references]) =>
        find(({ networkReference }) => (references as string[]).includes(networkReference)),
      'bank-movements-insert': (values) => {
        for (const row of unnest<Written>(values, INSERTED)) this.#insert(row);
        return [];
      },
      'bank-movements-update': (values) => {
        for (const row of unnest<Written>(values, UPDATED)) this.#update(row);
        return [];
      },
      'bank-movements-save-corrections': ([id, corrected]) => {
        this.movements.patch(id as string, { correctedIds: listOf(corrected as string) });
        return [];
      },
      'bank-movements-find-unreported': ([most]) =>
        find(({ isReported, outcome }) => !isReported && outcome !== 'WAITING')
          .sort((one, other) => one.position - other.position)
          .slice(0, Number(most))
          .map((row) => this.#unreported(row)),
      'bank-movements-mark-reported': ([ids]) => {
        for (const id of ids as string[]) this.movements.patch(id, { isReported: true });
        return [];
      },
    };
  }

  #insert(row: Written): void {
    const isTaken = this.movements.where((each) => each.networkReference === row.networkReference);
    if (isTaken.length > 0) throw new Error(`unique network reference ${row.networkReference}`);
    this.#position += 1;
    const lists = {
      creditorReferences: listOf(row.creditorReferences),
      candidates: listOf(row.candidates),
      summed: listOf(row.summed),
      details: JSON.parse(row.details),
    };
    const position = this.#position;
    const createdAt = this.now();
    this.movements.put(row.id, {
      ...row,
      ...lists,
      position,
      isReported: false,
      correctedIds: [],
      createdAt,
    });
  }

  #update({ id, creditorReferences, candidates, summed, details: _, ...row }: Written): void {
    const known = this.movements.get(id);
    const isDecided = known?.outcome === 'WAITING' && row.outcome !== 'WAITING';
    this.movements.patch(id, {
      ...row,
      isReported: known?.isReported === true && !isDecided && known.feeCents === row.feeCents,
      creditorReferences: listOf(creditorReferences),
      candidates: listOf(candidates),
      summed: listOf(summed),
    });
  }

  #unreported(row: MovementRow): object {
    const undone = row.returnedId === null ? undefined : this.movements.get(row.returnedId);
    return {
      ...row,
      merchantId: this.merchantOf(row.account),
      returnedReference: undone?.networkReference ?? null,
      correctedReferences: this.movements
        .some(row.correctedIds)
        .map(({ networkReference }) => networkReference),
      summed: this.movements
        .some(row.summed)
        .sort((one, other) => one.position - other.position)
        .map(({ networkReference, amountCents, bankReference, bookingDate }) => ({
          networkReference,
          amountCents,
          bankReference,
          bookingDate,
        })),
    };
  }

  now(): Date {
    return this.#clock.now();
  }
}

const isWaiting = ({ outcome }: EntryRow): boolean => outcome === null;

/**
 * Orders entries by rank, place in the statement, and statement. An entry has a single payment
 * here.
 */
function byRank(one: EntryRow, other: EntryRow): number {
  const byPlace = one.rank - other.rank || one.entryNumber - other.entryNumber;
  return byPlace || (one.statementId < other.statementId ? -1 : 1);
}

function isIn(value: string | null, list: readonly string[]): boolean {
  return value !== null && list.includes(value);
}

const hexOf = (hashes: unknown): string[] =>
  (hashes as readonly Buffer[]).map((hash) => hash.toString('hex'));

/** The branches of the statement, each with an index of its own. */
function isKnownBy(row: MovementRow, values: readonly unknown[]): boolean {
  const [bank, entry, batch, hashes, creditor, dates] = values as readonly (readonly string[])[];
  const isOfDay = isIn(row.bookingDate, dates ?? []);
  return (
    isIn(row.bankReference, bank ?? []) ||
    isIn(row.entryReference, entry ?? []) ||
    (isIn(row.batchReference, batch ?? []) && isOfDay) ||
    (isIn(row.endToEndHash, hexOf(hashes)) && isOfDay) ||
    row.creditorReferences.some((each) => creditor?.includes(each))
  );
}
