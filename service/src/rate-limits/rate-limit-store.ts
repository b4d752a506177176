import type { Executor, Statement } from '#database/database.ts';

/** Each kind of call has a budget of its own (contract §7, 429). */
export type CallKind = 'reads' | 'writes' | 'tokens';

// Equal, not older: with a clock that was set back, one second must not last until the old time.
const TAKE: Statement = {
  name: 'rate-limit-take',
  text: `INSERT INTO rate_limit_windows AS w (merchant_id, kind, second, taken)
         VALUES ($1, $2, date_trunc('second', service_now()), $3)
         ON CONFLICT (merchant_id, kind) DO UPDATE SET
           second = excluded.second,
           taken = excluded.taken + CASE WHEN w.second = excluded.second THEN w.taken ELSE 0 END
         RETURNING taken`,
};

/**
 * Takes calls from the budget of the current second; returns the calls that all processes have
 * taken.
 */
export async function takeFromSecond(
  executor: Executor,
  { merchantId, kind, calls }: { merchantId: string; kind: CallKind; calls: number },
): Promise<number> {
  const [row] = await executor.query<{ taken: number }>(TAKE, [merchantId, kind, calls]);
  return row?.taken ?? calls;
}
