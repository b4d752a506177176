import { countText } from '#lib/words/count-text.ts';
import { type CheckDeps, fault, fine, type Verdict } from '../verdict.ts';
import { countEventsAhead } from './feed-check-store.ts';

export async function checkFeed({ db }: CheckDeps): Promise<Verdict> {
  const ahead = await countEventsAhead(db);
  if (ahead === 0) return fine('No event is ahead of the feed.');
  return fault(
    `The feed hides ${countText(ahead, 'event')}: the database was restored from another server, ` +
      'whose transaction numbers are ahead. docs/operations has the statement to run.',
  );
}
