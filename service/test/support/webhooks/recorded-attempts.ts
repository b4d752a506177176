import { attemptsOf } from '#webhooks/deliveries/attempt-store.ts';
import { eventually } from '../eventually.ts';
import type { TestService } from '../service/service.ts';

/** The number of attempts that are kept. */
export async function countAttempts({ sql }: TestService['database']): Promise<number> {
  const query = `SELECT FROM webhook_deliveries d, LATERAL ${attemptsOf('d.id')} log`;
  return (await sql(query)).length;
}

/** Waits until so many attempts are kept and every lease is over: the clock may move on then. */
export function untilRecorded(database: TestService['database'], count: number): Promise<unknown> {
  return eventually(async () => {
    const leased = await database.sql(
      'SELECT FROM webhook_deliveries WHERE lease_token IS NOT NULL',
    );
    return leased.length === 0 && (await countAttempts(database)) >= count;
  }, `${count} recorded attempts`);
}
