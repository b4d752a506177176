import {
  type Database,
  DatabaseUnavailable,
  type Executor,
  type Statement,
} from '#database/database.ts';
import type { Journal } from './journal.ts';

/** Does in memory the work of one named statement. */
export type Handler = (values: readonly unknown[]) => readonly object[];
export type Handlers = Readonly<Record<string, Handler>>;

/** A planned fault: it meets one statement or commit, then none until the next is planned. */
export type DatabaseFault =
  /** The connection breaks before the n-th statement from now; its transaction is rolled back. */
  | { readonly kind: 'BEFORE_STATEMENT'; readonly after: number }
  /** The next transaction commits, and its answer is lost. */
  | { readonly kind: 'COMMIT_ANSWER_LOST' };

/**
 * A database for the real use cases: each named statement has a model here, and nothing else is
 * replaced. Transactions run one after the other, so that row locks always succeed at once. The
 * simulation proves decisions; the tests on PostgreSQL and `npm run chaos` prove the locks.
 */
export class MemoryDatabase implements Database {
  readonly #handlers: Handlers;
  readonly #journal: Journal;
  readonly #tx: Executor;
  #turn: Promise<unknown> = Promise.resolve();
  #fault: DatabaseFault | null = null;
  /** The statements so far, by name: a run shows which models it has used. */
  readonly used = new Map<string, number>();
  /** The planned faults so far that were met. */
  faults = 0;

  constructor(journal: Journal, handlers: Handlers) {
    this.#journal = journal;
    this.#handlers = handlers;
    this.#tx = { query: async (statement, values) => this.#run(statement, values) };
  }

  plan(fault: DatabaseFault | null): void {
    this.#fault = fault;
  }

  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> {
    return this.#inTurn(async () => {
      const rows = this.#run<Row>(statement, values);
      this.#loseAnswer();
      return rows;
    });
  }

  transaction<Result>(work: (tx: Executor) => Promise<Result>): Promise<Result> {
    return this.#inTurn(async () => {
      this.#journal.begin();
      try {
        const result = await work(this.#tx);
        this.#failBeforeStatement();
        this.#journal.commit();
        this.#loseAnswer();
        return result;
      } catch (error) {
        // After the commit the journal is empty.
        this.#journal.rollback();
        throw error;
      }
    });
  }

  /** Notifies nothing, because the steps of the simulation call every loop. */
  listen(): () => Promise<void> {
    return async () => {};
  }

  poolUse() {
    return { open: 0, idle: 0, waiting: 0 };
  }

  async close(): Promise<void> {}

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  #run<Row>({ name }: Statement, values: readonly unknown[] = []): Row[] {
    this.#failBeforeStatement();
    const handler = this.#handlers[name];
    if (!handler) throw new Error(`no model of the statement ${name}`);
    this.used.set(name, (this.used.get(name) ?? 0) + 1);
    return handler(values) as Row[];
  }

  #failBeforeStatement(): void {
    const fault = this.#fault;
    if (fault?.kind !== 'BEFORE_STATEMENT') return;
    this.#fault = fault.after > 0 ? { ...fault, after: fault.after - 1 } : null;
    if (fault.after > 0) return;
    this.faults += 1;
    throw new DatabaseUnavailable(new Error('simulated: connection lost'));
  }

  #loseAnswer(): void {
    if (this.#fault?.kind !== 'COMMIT_ANSWER_LOST') return;
    this.#fault = null;
    this.faults += 1;
    throw new DatabaseUnavailable(new Error('simulated: answer lost'), true);
  }
}
