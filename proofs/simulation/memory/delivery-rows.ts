import { createHash } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import type { DeliveryOutcome } from '#webhooks/model/outcomes.ts';
import { type EventRow, WebhookEvents } from './event-rows.ts';
import { type Journal, Table, unnest } from './journal.ts';
import type { Handlers } from './memory-database.ts';

export interface DeliveryRow {
  readonly id: string;
  readonly event_id: string;
  readonly merchant_id: string;
  readonly payment_request_id: string;
  readonly sequence: number;
  readonly endpoint_id: string | null;
  readonly url: string;
  readonly destination: string;
  readonly status: 'PENDING' | 'SUCCEEDED' | 'EXHAUSTED';
  readonly ended_because: string | null;
  readonly attempts: number;
  readonly uncounted_attempts: number;
  readonly next_attempt_at: Date | null;
  readonly lease_token: string | null;
  readonly leased_until: Date | null;
  readonly created_at: Date;
  /** The last attempt that was recorded. */
  readonly outcome: DeliveryOutcome | null;
  readonly wasProbe: boolean;
}

export interface EndpointRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly url: string;
  readonly status: 'ACTIVE' | 'PAUSED';
  readonly paused_reason: string | null;
}

interface Result {
  readonly id: string;
  readonly lease_token: string;
  readonly next_status: DeliveryRow['status'];
  readonly delay_seconds: number | null;
  readonly pause_endpoint: boolean;
  readonly started_at: Date;
  readonly duration_ms: number;
  readonly outcome: DeliveryOutcome;
  readonly http_status: number | null;
  readonly response_body: string | null;
  readonly address: string | null;
  readonly is_probe: boolean;
}

const RESULT = [
  'id',
  'lease_token',
  'next_status',
  'delay_seconds',
  'pause_endpoint',
  'started_at',
  'duration_ms',
  'outcome',
  'http_status',
  'response_body',
  'address',
  'is_probe',
] as const satisfies readonly (keyof Result)[];

/** The SQL function webhook_*_key of migration 0018 gives the same text. */
export function originKey(merchantId: string, url: string): string {
  return `${merchantId} ${/^https:\/\/[^/?#]*/.exec(url)?.[0] ?? 'no origin'}`;
}

const urlKeys = new Map<string, string>();

/** The SQL function webhook_*_key of migration 0018 gives the same text. */
export function urlKey(merchantId: string, url: string): string {
  const text = `${merchantId} ${url}`;
  const known = urlKeys.get(text) ?? `~${createHash('sha256').update(text).digest('hex')}`;
  urlKeys.set(text, known);
  return known;
}

export class Deliveries {
  readonly rows: Table<DeliveryRow>;
  readonly endpoints: Table<EndpointRow>;
  readonly events: WebhookEvents;
  readonly clock: Clock;

  constructor(journal: Journal, clock: Clock) {
    this.rows = new Table(journal);
    this.endpoints = new Table(journal);
    this.clock = clock;
    this.events = new WebhookEvents(journal, (event) => this.#owe(event));
  }

  pending(): DeliveryRow[] {
    return this.rows.where(({ status }) => status === 'PENDING');
  }

  /** The URL that a delivery goes to now: its endpoint may have moved. */
  urlOf({ endpoint_id: id, url }: Pick<DeliveryRow, 'endpoint_id' | 'url'>): string {
    return (id === null ? undefined : this.endpoints.get(id))?.url ?? url;
  }

  /** An earlier event of the payment request that the same receiver must get first. */
  earlierOf(row: DeliveryRow): DeliveryRow | undefined {
    return this.pending().find(
      (earlier) =>
        earlier.payment_request_id === row.payment_request_id &&
        earlier.sequence < row.sequence &&
        ((earlier.endpoint_id !== null && earlier.endpoint_id === row.endpoint_id) ||
          this.urlOf(earlier) === this.urlOf(row)),
    );
  }

  /** The models of record-store.ts and delivery-store.ts. */
  handlers(isWatched: (destinations: readonly string[]) => boolean): Handlers {
    return {
      ...this.events.handlers(),
      'webhook-delivery-record': (values) =>
        unnest<Result>(values, RESULT).flatMap((result) => this.#record(result, isWatched)),
    };
  }

  isLeased({ leased_until: until }: DeliveryRow): boolean {
    return until !== null && until > this.clock.now();
  }

  inSeconds(seconds: number): Date {
    return new Date(this.clock.now().getTime() + seconds * 1000);
  }

  /** Each distinct URL gets one delivery; an endpoint wins over the event's own URL. */
  #owe(event: EventRow): void {
    const own = this.endpoints.where(({ merchant_id }) => merchant_id === event.merchant_id);
    for (const { id, url } of own) this.#add(event, id, url, id);
    if (event.url === null || own.some(({ url }) => url === event.url)) return;
    this.#add(event, null, event.url, event.destination);
  }

  #add(event: EventRow, endpointId: string | null, url: string, destination: string): void {
    const id = `${event.id} ${endpointId ?? 'own'}`;
    this.rows.put(id, {
      id,
      event_id: event.id,
      merchant_id: event.merchant_id,
      payment_request_id: event.payment_request_id,
      sequence: event.sequence,
      endpoint_id: endpointId,
      url,
      destination,
      status: 'PENDING',
      ended_because: null,
      attempts: 0,
      uncounted_attempts: 0,
      next_attempt_at: this.clock.now(),
      lease_token: null,
      leased_until: null,
      created_at: this.clock.now(),
      outcome: null,
      wasProbe: false,
    });
  }

  #record(result: Result, isWatched: (destinations: readonly string[]) => boolean): object[] {
    const row = this.rows.get(result.id);
    if (!row || row.lease_token !== result.lease_token) return [];
    const { delay_seconds: delay, next_status: status } = result;
    const nextAttemptAt = delay === null ? null : this.inSeconds(delay);
    this.rows.patch(row.id, {
      attempts: row.attempts + 1,
      status,
      uncounted_attempts: row.uncounted_attempts + Number(result.is_probe),
      next_attempt_at: nextAttemptAt,
      lease_token: null,
      leased_until: null,
      outcome: result.outcome,
      wasProbe: result.is_probe,
    });
    const endpoint = row.endpoint_id === null ? undefined : this.endpoints.get(row.endpoint_id);
    const isPausing = result.pause_endpoint && endpoint?.status === 'ACTIVE';
    if (isPausing) {
      this.endpoints.patch(endpoint.id, { status: 'PAUSED', paused_reason: 'GONE' });
    }
    const keys =
      row.endpoint_id === null
        ? [originKey(row.merchant_id, row.url), urlKey(row.merchant_id, row.url)]
        : [row.destination];
    return [
      {
        id: row.id,
        leaseToken: result.lease_token,
        status,
        nextAttemptAt,
        endpointPaused: isPausing,
        nextWaits: false,
        isDestinationWatched: isWatched(keys),
      },
    ];
  }
}
