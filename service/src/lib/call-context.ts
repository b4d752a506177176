import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The call that the running work belongs to. Stores and logs read the call here, without an
 * argument.
 */
export interface CallContext {
  readonly requestId: string;
  /** W3C trace context of the call's span, or the caller's own; null: there is none. */
  readonly traceparent: string | null;
  /** The caller's connection, which an uncaught error of the call ends. */
  readonly connection: { destroy(): void };
  /** Starts a span below the call's own; absent unless traces are exported. */
  readonly startSpan?: (name: string) => OpenSpan;
}

export interface OpenSpan {
  /** @param error the error of the work; absent after a success. */
  end(error?: unknown): void;
}

const calls = new AsyncLocalStorage<CallContext | undefined>();

/** Runs work as part of a call; work that this work starts belongs to the call too. */
export function runInCall<Result>(call: CallContext, work: () => Result): Result {
  return calls.run(call, work);
}

/** Runs work that belongs to no single call, such as a batch of many calls. */
export function runOutsideCalls<Result>(work: () => Result): Result {
  return calls.run(undefined, work);
}

/** The call that the running work belongs to; undefined in loops and batches. */
export function currentCall(): CallContext | undefined {
  return calls.getStore();
}

/** Runs a use case as a span of the call; without an exporter the work just runs. */
export function inSpan<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const span = calls.getStore()?.startSpan?.(name);
  return span ? endAfter(span, work) : work();
}

async function endAfter<Result>(span: OpenSpan, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
