import { DatabaseUnavailable } from '#database/connection/database-unavailable.ts';
import { runOutsideCalls } from '#lib/call-context.ts';

/**
 * A list takes 1 to 20 ms. A longer run is blocked, such as by a silent connection: the equal calls
 * behind it then have a second run beside it.
 */
const BLOCKED_MS = 100;
/** Two runs of equal calls at most, so that no slow list takes all connections of the pool. */
const MOST_RUNS = 2;
/**
 * Different calls that run or wait. Beyond the requests that may wait for a connection, further
 * calls would only reach their time-out.
 */
const MOST_KEYS = 1_000;

/** The next run of equal calls: it has not begun, so that further ones may join. */
interface NextRun<Result> {
  readonly work: () => Promise<Result>;
  readonly promise: Promise<Result>;
  readonly resolve: (result: Promise<Result>) => void;
  /** Begins the run beside one that is blocked. */
  readonly timer: NodeJS.Timeout;
}

/** The runs of equal calls. */
interface Group<Result> {
  running: number;
  next: NextRun<Result> | null;
}

/**
 * Shares runs between equal calls: all that arrive during a run have the next run together. A call
 * never joins a run that began before the call, so that the call sees every earlier commit.
 *
 * A lone call runs at once. Different calls never wait for each other. A call waits for the end of
 * the run before its own, at most as long as a statement may take, or for 100 ms where it may have
 * a second run.
 */
export class RequestCoalescer<Result> {
  readonly #groups = new Map<string, Group<Result>>();

  /**
   * @param key  equal for calls that may have one result
   * @param work the run; it may be that of an equal call
   * @throws DatabaseUnavailable when too many different calls wait; else the error of the run.
   */
  run(key: string, work: () => Promise<Result>): Promise<Result> {
    const group = this.#groups.get(key);
    if (group) return this.#join(key, group, work);
    if (this.#groups.size >= MOST_KEYS) {
      return Promise.reject(new DatabaseUnavailable(new Error('too many different calls wait')));
    }
    const opened: Group<Result> = { running: 0, next: null };
    this.#groups.set(key, opened);
    return this.#start(key, opened, work);
  }

  #join(key: string, group: Group<Result>, work: () => Promise<Result>): Promise<Result> {
    if (group.next) return group.next.promise;
    const { promise, resolve } = Promise.withResolvers<Result>();
    const onBlocked = () => {
      if (group.running < MOST_RUNS) this.#startNext(key, group);
    };
    group.next = { work, promise, resolve, timer: setTimeout(onBlocked, BLOCKED_MS) };
    return promise;
  }

  async #start(key: string, group: Group<Result>, work: () => Promise<Result>): Promise<Result> {
    group.running += 1;
    try {
      return await work();
    } finally {
      group.running -= 1;
      if (group.next) this.#startNext(key, group);
      else if (group.running === 0) this.#groups.delete(key);
    }
  }

  #startNext(key: string, group: Group<Result>): void {
    if (group.next === null) return;
    const { work, resolve, timer } = group.next;
    clearTimeout(timer);
    group.next = null;
    // The run belongs to several calls: nothing in it may take the request id of the first.
    resolve(runOutsideCalls(() => this.#start(key, group, work)));
  }
}
