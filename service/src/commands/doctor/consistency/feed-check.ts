import { type CheckNeeds, fault, fine, type Verdict } from '../verdict.ts';
import { countEventsAhead } from './feed-check-store.ts';

export async function checkFeed({ db }: CheckNeeds): Promise<Verdict> {
  const ahead = await countEventsAhead(db);
  if (ahead === 0) return fine('No event is ahead of what the feed can show.');
  const events = ahead === 1 ? '1 event' : `${ahead} events`;
  return fault(
    `The feed hides ${events}: their places count the transactions of another server, from which ` +
      'the database was restored. docs/operations says what to run.',
  );
}
