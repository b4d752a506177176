import type { Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { throwFaults } from '#lib/first-faults.ts';
import { INSTANT_FORM } from '#lib/instant.ts';
import { isId, newId } from '#lib/new-id.ts';
import { type FieldFault, Problem } from '#lib/problem.ts';
import { notFound } from '#lib/words/not-found.ts';
import { findOwnEndpoint } from '#webhooks/endpoints/find-own.ts';
import { forgetFailures } from '#webhooks/sending/destination-store.ts';
import {
  countReplay,
  findReplay,
  findRunningReplay,
  insertReplay,
  type NewReplay,
  type WebhookReplay,
} from './replay-store.ts';
import type { ReplayBody } from './schemas.ts';

export interface AskedReplay {
  readonly endpointId: string;
  readonly body: Partial<ReplayBody>;
  /** The faults that the schema found in the body. */
  readonly faults: readonly FieldFault[];
  /** Narrows a replay that a person starts; left out: nothing does. */
  readonly filter?: Pick<WebhookReplay, 'eventType' | 'lastAnswer'>;
}

/** A preview counts among so many events: some 50 ms of one statement. */
const MOST_PREVIEWED = 5_000;

/**
 * Starts a replay (delivery §3): of what happened from `from` until before `to`, what
 * failed, or everything that the endpoint is for, also what happened before it was registered.
 *
 * @throws Problem VALIDATION_ERROR, WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_REPLAY_RUNNING
 */
export async function startReplay(
  tx: Executor,
  deps: { readonly clock: Clock },
  merchantId: string,
  asked: AskedReplay,
): Promise<WebhookReplay> {
  const wanted = await readAsked(tx, deps, merchantId, asked);
  const replay = await insertReplay(tx, wanted);
  if (!replay) throw runningAlready(await findRunningReplay(tx, wanted.endpointId));
  await forgetFailures(tx, [wanted.endpointId]);
  return replay;
}

/**
 * Counts the events that a replay would send, before its start.
 *
 * @returns the number, and whether there may be more: the count ends after some thousand events
 * @throws Problem VALIDATION_ERROR, WEBHOOK_ENDPOINT_NOT_FOUND
 */
export async function previewReplay(
  db: Executor,
  deps: { readonly clock: Clock },
  merchantId: string,
  asked: AskedReplay,
): Promise<{ readonly count: number; readonly isMore: boolean }> {
  const wanted = await readAsked(db, deps, merchantId, asked);
  const { examined, wanted: count } = await countReplay(db, wanted, MOST_PREVIEWED);
  return { count, isMore: examined === MOST_PREVIEWED };
}

async function readAsked(
  db: Executor,
  { clock }: { readonly clock: Clock },
  merchantId: string,
  { endpointId, body, faults, filter }: AskedReplay,
): Promise<NewReplay> {
  const now = clock.now();
  const fromAt = readInstant(body.from);
  // Events from now on are sent anyway.
  const to = readInstant(body.to) ?? now;
  const toAt = new Date(Math.min(to.getTime(), now.getTime()));
  throwFaults([...faults, ...spanFaults(body, fromAt, to)]);
  if (fromAt === null) throw new Problem('VALIDATION_ERROR');
  const endpoint = await findOwnEndpoint(db, merchantId, endpointId);
  return {
    id: newId(),
    merchantId,
    endpointId: endpoint.id,
    fromAt,
    toAt,
    onlyFailed: body.only !== 'all',
    eventType: filter?.eventType ?? null,
    lastAnswer: filter?.lastAnswer ?? null,
  };
}

/** The problem names the id: a caller that lost the first answer can read the progress. */
function runningAlready(id: string | undefined): Problem {
  const which = id === undefined ? 'A replay' : `The replay ${id}`;
  return new Problem('WEBHOOK_REPLAY_RUNNING', {
    detail: `${which} of this endpoint is running; wait until it is over.`,
  });
}

/** @throws Problem WEBHOOK_REPLAY_NOT_FOUND; a deleted endpoint's replays stay readable */
export async function readReplay(
  db: Executor,
  merchantId: string,
  endpointId: string,
  id: string,
): Promise<WebhookReplay> {
  const isPossible = isId(endpointId) && isId(id);
  const found = isPossible ? await findReplay(db, merchantId, endpointId, id) : undefined;
  if (!found) throw notFound('WEBHOOK_REPLAY_NOT_FOUND', id);
  return found;
}

function readInstant(text: unknown): Date | null {
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : new Date(at);
}

function spanFaults(body: Partial<ReplayBody>, fromAt: Date | null, to: Date): FieldFault[] {
  const faults: FieldFault[] = [];
  for (const field of ['from', 'to'] as const) {
    const value = body[field];
    if (typeof value === 'string' && readInstant(value) === null) {
      const message = `Give ${field} ${INSTANT_FORM}.`;
      faults.push({ field, code: 'INVALID_FORMAT', message });
    }
  }
  if (fromAt !== null && to <= fromAt) {
    const message = 'Give from as an instant before to, and before now.';
    faults.push({ field: 'from', code: 'INVALID_VALUE', message });
  }
  return faults;
}
