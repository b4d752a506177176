import { firstRow } from '#database/statements.ts';

/** The bytes that every attempt of an event sends, as text. */
export interface SentBody {
  readonly body: string;
  readonly sequence: number;
  readonly traceparent: string | null;
}

export const findSentBody = firstRow<SentBody, [merchantId: string, eventId: string]>(
  'webhook-sent-find-body',
  `SELECT v.body, v.sequence, v.trace_parent AS traceparent
   FROM webhook_events v WHERE v.merchant_id = $1 AND v.id = $2`,
);
