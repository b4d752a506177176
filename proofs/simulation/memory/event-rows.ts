import type { WebhookEventType } from '#webhooks/model/event-types.ts';
import { type Journal, Table, unnest } from './journal.ts';
import type { Handlers } from './memory-database.ts';

export interface EventRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly payment_request_id: string;
  readonly sequence: number;
  readonly event_type: WebhookEventType;
  readonly body: string;
  readonly created_at: Date;
  readonly url: string | null;
  readonly sent_url: string | null;
  readonly destination: string;
  readonly misbehaviour: string | null;
  readonly trace_parent: string | null;
}

const COLUMNS = [
  'id',
  'merchant_id',
  'payment_request_id',
  'sequence',
  'event_type',
  'body',
  'created_at',
  'url',
  'sent_url',
  'destination',
  'misbehaviour',
  'trace_parent',
] as const satisfies readonly (keyof EventRow)[];

/** The outbox's events; `onEvent` makes the deliveries of each. */
export class WebhookEvents {
  readonly rows: Table<EventRow>;
  readonly #onEvent: (event: EventRow) => void;

  constructor(journal: Journal, onEvent: (event: EventRow) => void = () => {}) {
    this.rows = new Table(journal);
    this.#onEvent = onEvent;
  }

  of(paymentRequestId: string): EventRow[] {
    return this.rows.where((row) => row.payment_request_id === paymentRequestId);
  }

  handlers(): Handlers {
    return {
      'webhook-enqueue': (values) => {
        for (const event of unnest<EventRow>(values, COLUMNS)) {
          this.rows.put(event.id, event);
          this.#onEvent(event);
        }
        return [];
      },
      'webhook-notify-senders': () => [],
    };
  }
}
