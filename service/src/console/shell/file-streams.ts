import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Problem } from '#lib/problem.ts';
import type { ConsoleAnswer, Visit } from './visit.ts';

/**
 * The files that one process sends at once while it reads their rows. A batch of rows takes some
 * 10 ms of the processor: a payer's page waits for 4 of them at most.
 */
const MOST_AT_ONCE = 4;
/** A browser that takes no batch for so long has stopped reading. */
const LONGEST_BATCH_MS = 60_000;
/** The next batch is read after the connection has taken this batch. */
export const NO_READ_AHEAD = { objectMode: false, highWaterMark: 1 } as const;

/**
 * Bounds the files whose rows are read while they are sent: in a process, for a person, and in the
 * time that a browser may take for a batch. Nothing is read ahead, and nothing for HEAD.
 */
export class FileStreams {
  /** By the person who downloads. */
  readonly #running = new Map<string, Readable>();

  /**
   * The answer with its bounds; answers that are no such file stay as they are.
   *
   * @throws Problem RATE_LIMITED while the person downloads another file, or four others do
   */
  bound(
    answer: ConsoleAnswer,
    { viewer }: Pick<Visit, 'viewer'>,
    { method }: Pick<FastifyRequest, 'method'>,
  ): ConsoleAnswer {
    if (!('content' in answer) || !(answer.content instanceof Readable)) return answer;
    const { content } = answer;
    if (method === 'HEAD') {
      content.destroy();
      return { ...answer, content: '' };
    }
    const person = JSON.stringify([viewer.issuer, viewer.subject]);
    if (this.#running.has(person) || this.#running.size >= MOST_AT_ONCE) {
      content.destroy();
      throw new Problem('RATE_LIMITED');
    }
    const onTooSlow = () => sent.destroy(new Error('the browser takes the file too slowly'));
    const sent: Readable = Readable.from(batches(content, onTooSlow), NO_READ_AHEAD);
    this.#running.set(person, sent);
    sent.once('close', () => {
      this.#running.delete(person);
      content.destroy();
    });
    return { ...answer, content: sent };
  }

  /** Ends the files, so that browsers see that they are incomplete. */
  async stop(): Promise<void> {
    for (const sent of this.#running.values()) sent.destroy(new Error('the service stops'));
  }
}

async function* batches(content: Readable, onTooSlow: () => void): AsyncGenerator<unknown> {
  for await (const batch of content) {
    const overdue = setTimeout(onTooSlow, LONGEST_BATCH_MS);
    try {
      yield batch;
    } finally {
      clearTimeout(overdue);
    }
  }
}
