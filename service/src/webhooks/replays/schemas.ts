import { type Static, Type } from 'typebox';
import { REPLAY_STATUSES, type WebhookReplay } from './replay-store.ts';

export const ReplayParamsSchema = Type.Object({
  id: Type.String({ description: 'The webhook endpoint’s id.' }),
  replayId: Type.String({ description: 'The replay’s id.' }),
});

const ONLY = ['failed', 'all'] as const;

/** The body of POST /webhook-endpoints/{id}/replay (delivery §3). */
export const ReplayBodySchema = Type.Object({
  from: Type.String({ format: 'date-time', description: 'Events of this instant or later.' }),
  to: Type.Optional(
    Type.String({ format: 'date-time', description: 'Events before this instant; default: now.' }),
  ),
  only: Type.Optional(
    Type.Enum([...ONLY], {
      default: 'failed',
      description:
        'failed: what was given up. all: every event that the endpoint is for, also what it was ' +
        'sent already, what waits for its next attempt, and what happened before it was ' +
        'registered.',
    }),
  ),
});
export type ReplayBody = Static<typeof ReplayBodySchema>;

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** A replay as it is answered. */
export const ReplaySchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    endpointId: Type.String({ format: 'uuid' }),
    from: Type.String({ format: 'date-time' }),
    to: Type.String({ format: 'date-time' }),
    only: Type.Enum([...ONLY]),
    status: Type.Enum([...REPLAY_STATUSES], {
      description:
        'COMPLETED: everything is queued. CANCELLED: the endpoint was deleted meanwhile.',
    }),
    progress: Type.Object({
      examinedTo: Type.String({
        format: 'date-time',
        description: 'How far it has looked, by the time of the events.',
      }),
      examined: count('Events looked at.'),
      queued: count('Events to be sent again.'),
      pending: count('Queued events that are neither delivered nor exhausted.'),
    }),
    createdDateTime: Type.String({ format: 'date-time' }),
    completedDateTime: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { title: 'WebhookReplay' },
);

/** A replay as it is answered; `undefined` is left out. */
export function replayMembers(replay: WebhookReplay) {
  const { examined, queued, pending } = replay;
  return {
    id: replay.id,
    endpointId: replay.endpointId,
    from: replay.fromAt,
    to: replay.toAt,
    only: replay.onlyFailed ? 'failed' : 'all',
    status: replay.status,
    progress: { examinedTo: replay.positionAt, examined, queued, pending },
    createdDateTime: replay.createdAt,
    completedDateTime: replay.completedAt ?? undefined,
  };
}
