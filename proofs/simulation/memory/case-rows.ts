import { correctedReferencesOf, referencesOf } from '#cases/model/operator-case.ts';
import type { MovementFacts } from '#payment-requests/model/money/waiting.ts';
import { holdsMoney } from '#payment-requests/status/money-case-store.ts';
import type { OperatorCaseKind } from '#telemetry/metrics/network-metrics.ts';
import { type Journal, Table, unnest } from './journal.ts';
import type { Handlers } from './memory-database.ts';

export interface CaseRow {
  readonly id: string;
  readonly kind: OperatorCaseKind;
  readonly paymentRequestId: string | null;
  readonly merchantId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
  readonly settlement: string | null;
}

interface Opened extends Omit<CaseRow, 'details'> {
  readonly details: string;
}

/** The kinds beside those that hold money, as in money/follow-store.ts. */
const FOLLOWED: ReadonlySet<OperatorCaseKind> = new Set(['PART_PAYMENT', 'NOT_ON_STATEMENT']);

const OPENED = [
  'id',
  'kind',
  'paymentRequestId',
  'details',
  'openedAt',
  'merchantId',
] as const satisfies readonly (keyof Opened)[];

export class OperatorCases {
  readonly rows: Table<CaseRow>;

  constructor(journal: Journal) {
    this.rows = new Table(journal);
  }

  open(): CaseRow[] {
    return this.rows.where(({ closedAt }) => closedAt === null);
  }

  /** The models of status/operator-case-store.ts, money-case-store.ts and cases/case-store.ts. */
  handlers(): Handlers {
    const find = ([id]: readonly unknown[]) => this.rows.some([String(id)]);
    return {
      'operator-case-open': (values) => this.#insert(unnest<Opened>(values, OPENED)),
      'operator-case-close-part-cases': ([ids, at]) => {
        for (const each of this.#openOf(ids as string[])) {
          if (each.kind === 'PART_PAYMENT') this.rows.patch(each.id, { closedAt: at as Date });
        }
        return [];
      },
      'operator-case-find-open-money-cases': ([ids, kinds]) =>
        this.#openOf(ids as string[])
          .filter(({ kind }) => (kinds as string[]).includes(kind))
          .map(({ paymentRequestId: id }) => ({ id })),
      'operator-case-close-overtaken': ([ids, at]) => {
        for (const { id, closedAt } of this.rows.some(ids as string[])) {
          if (closedAt === null) this.rows.patch(id, { closedAt: at as Date });
        }
        return [];
      },
      'operator-case-reopen': ([ids]) => {
        for (const id of ids as string[]) this.rows.patch(id, { closedAt: null, settlement: null });
        return [];
      },
      'network-money-find-cases': ([ids, caseIds]) =>
        this.rows
          .where(
            ({ id, paymentRequestId: of }) =>
              (of !== null && (ids as string[]).includes(of)) || (caseIds as string[]).includes(id),
          )
          .filter(({ kind }) => FOLLOWED.has(kind) || holdsMoney(kind))
          .map(({ details, closedAt, ...row }) => ({
            ...row,
            isOpen: closedAt === null,
            networkReference: details.networkReference ?? null,
            networkReferences: details.networkReferences ?? null,
          })),
      'cases-find-about': ([reference]) => this.#about(reference),
      'cases-lock-about': ([reference]) => this.#about(reference),
      'network-money-find-replacing': ([reference]) => {
        const found = this.rows.where(
          (row) =>
            row.settlement === 'REPLACED' && correctedReferencesOf(row).includes(String(reference)),
        );
        return found.slice(-1).map(({ details }) => ({ reference: details.networkReference }));
      },
      'cases-find': find,
      'cases-lock': find,
      'cases-settle': ([id, settlement, at]) => {
        const closedAt = this.rows.get(String(id))?.closedAt ?? (at as Date);
        this.rows.patch(String(id), { settlement: String(settlement), closedAt });
        return [];
      },
    };
  }

  #openOf(ids: readonly string[]): CaseRow[] {
    return this.open().filter(({ paymentRequestId: id }) => id !== null && ids.includes(id));
  }

  #about(reference: unknown): CaseRow[] {
    return this.rows
      .where((row) => holdsMoney(row.kind) && referencesOf(row).includes(String(reference)))
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** The unique index operator_cases_once: kind, payment request and details. */
  #insert(rows: readonly Opened[]): { id: string }[] {
    return rows.flatMap(({ details: text, ...row }) => {
      const details = JSON.parse(text) as CaseRow['details'];
      const key = keyOf({ ...row, details });
      if (this.rows.all().some((known) => keyOf(known) === key)) return [];
      this.rows.put(row.id, { ...row, details, closedAt: null, settlement: null });
      return { id: row.id };
    });
  }

  /** The part of money/movement-store.ts that reads cases. */
  factsOf(reference: string): Omit<MovementFacts, 'givenBackCents'> {
    const returns = this.rows.where(
      ({ kind, details }) => kind === 'MONEY_RETURNED' && details.returnedReference === reference,
    );
    const naming = this.rows.where(
      (row) => holdsMoney(row.kind) && referencesOf(row).includes(reference),
    );
    return {
      takenBackCents: returns.reduce((sum, { details }) => sum + Number(details.returnedCents), 0),
      cases: naming.map(({ id, paymentRequestId, closedAt, settlement }) => ({
        id,
        paymentRequestId,
        isOpen: closedAt === null,
        settlement,
      })),
    };
  }
}

const keys = new WeakMap<object, string>();

/** A jsonb column ignores the order of members. The details of a case never change. */
function keyOf(row: Pick<CaseRow, 'kind' | 'paymentRequestId' | 'details'>): string {
  const key = keys.get(row.details) ?? makeKey(row);
  keys.set(row.details, key);
  return key;
}

function makeKey({
  kind,
  paymentRequestId,
  details,
}: Pick<CaseRow, 'kind' | 'paymentRequestId' | 'details'>) {
  const members = Object.entries(details).sort(([one], [other]) => (one < other ? -1 : 1));
  return `${kind} ${paymentRequestId} ${JSON.stringify(members)}`;
}
