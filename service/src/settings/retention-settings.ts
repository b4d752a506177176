import { wholeNumber } from './read-values.ts';
import { setting } from './setting.ts';

/** Settings of what is deleted by its age (docs/operations/retention.md). */
export const RETENTION_SETTINGS = {
  RETENTION_EVENTS_DAYS: setting({
    meaning: 'the days for which webhook events are kept, with their deliveries and attempts',
    // Longer than the eleven attempts take; a follower of the feed may be down for a while.
    fallback: '90',
    read: wholeNumber(7, 3_650),
  }),
  RETENTION_YEARS: setting({
    meaning:
      'the years after its last event for which a payment request is kept, with its money; ' +
      '0: for ever; production keeps at least 7 years',
    // Contract §10: the books of most countries.
    fallback: '7',
    read: wholeNumber(0, 100),
  }),
};
