import type { Executor, Statement } from '#database/database.ts';

const FIND: Statement = {
  name: 'webhook-sent-find-body',
  text: `SELECT v.body, v.sequence, v.trace_parent AS traceparent
         FROM webhook_events v WHERE v.merchant_id = $1 AND v.id = $2`,
};

/** The bytes that every attempt of an event sends, as text. */
export interface SentBody {
  readonly body: string;
  readonly sequence: number;
  readonly traceparent: string | null;
}

export async function findSentBody(
  db: Executor,
  merchantId: string,
  eventId: string,
): Promise<SentBody | undefined> {
  return (await db.query<SentBody>(FIND, [merchantId, eventId]))[0];
}
