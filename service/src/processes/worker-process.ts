import type { Worker } from 'node:cluster';
import { type Answers, type Asked, isReport, type Question, STOP } from './process-messages.ts';

/** A process without an answer in this time stands still; a probe waits little longer. */
const ANSWER_TIMEOUT_MS = 3_000;

/** How a process ended: by a code, or by a signal. */
export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A process that the parent has started. */
export type WorkerProcess = ReturnType<typeof watchWorker>;

/** The process ended before it had started. */
export class ProcessNotStarted extends Error {
  readonly end: ProcessEnd;

  constructor(end: ProcessEnd) {
    super('A process of the service ended before it had started.');
    this.name = 'ProcessNotStarted';
    this.end = end;
  }
}

/** Supervises one forked process. */
export function watchWorker(worker: Worker) {
  const waiting = new Map<number, (answer: Answers[Asked]) => void>();
  const started = Promise.withResolvers<number | null>();
  const ended = Promise.withResolvers<ProcessEnd>();
  let hasStarted = false;
  let lastId = 0;
  worker.on('message', (message: unknown) => {
    if (!isReport(message)) return;
    if ('started' in message) {
      hasStarted = true;
      started.resolve(message.port);
    } else {
      waiting.get(message.id)?.(message.answer);
    }
  });
  // Sending to a process that has just ended emits an error; the end of the process decides.
  worker.on('error', () => {});
  worker.once('exit', (exitCode: number | null, signal: string | null) => {
    const end = { exitCode, signal };
    ended.resolve(end);
    started.reject(new ProcessNotStarted(end));
  });
  // Rejects for callers that wait for the start; without such a caller it is not an unhandled
  // rejection.
  started.promise.catch(() => {});

  return {
    pid: worker.process.pid,
    /**
     * The port of the process after its start; null without the api role. Rejects when the process
     * ends before.
     */
    started: started.promise,
    ended: ended.promise,
    hasStarted: () => hasStarted,
    /** The answer of the process; null without an answer in 3 s. */
    async ask<What extends Asked>(what: What) {
      const id = ++lastId;
      const answer = Promise.withResolvers<Answers[Asked] | null>();
      const late = setTimeout(() => answer.resolve(null), ANSWER_TIMEOUT_MS);
      waiting.set(id, answer.resolve);
      const question: Question = { ask: what, id };
      if (worker.isConnected()) worker.send(question);
      else answer.resolve(null);
      try {
        return (await answer.promise) as Answers[What] | null;
      } finally {
        clearTimeout(late);
        waiting.delete(id);
      }
    },
    /** Lets the process finish its work, and end. */
    drain() {
      if (worker.isConnected()) worker.send(STOP);
      // While Node.js still loads it, a process reads no messages.
      if (!hasStarted) worker.process.kill('SIGTERM');
    },
    kill() {
      worker.process.kill('SIGKILL');
    },
  };
}
