import type { Health } from '#telemetry/health/health.ts';
import { type Answers, isQuestion, type Report } from './process-messages.ts';

/** The channel of the messages between a process and its parent: `process` itself. */
export interface ParentChannel {
  send?: (message: Report) => boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/**
 * Reports the start of this process to its parent, and answers the parent's questions from then on.
 */
export function answerParent(channel: ParentChannel, health: Health, port: number | null): void {
  const send = (report: Report) => {
    // A parent that has gone is noticed elsewhere.
    channel.send?.(report);
  };
  const answers: { readonly [Asked in keyof Answers]: () => Promise<Answers[Asked]> } = {
    liveness: async () => (await health.liveness()) ?? '',
    readiness: () => health.readiness(),
    metrics: () => health.metrics(),
  };
  channel.on('message', async (message) => {
    if (!isQuestion(message)) return;
    // A failure gets no answer: the parent waits for a bounded time, as for a process that hangs.
    const answer = await answers[message.ask]().catch(() => undefined);
    if (answer !== undefined) send({ id: message.id, answer });
  });
  send({ started: true, port });
}
