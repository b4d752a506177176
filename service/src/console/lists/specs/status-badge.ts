import { badge, type Tone } from '#console/components/badge.ts';

/** The tone of every status of the lists; a word beside it carries the meaning. */
const TONES: Readonly<Record<string, Tone>> = {
  CREATED: 'plain',
  PROCESSING: 'wait',
  PENDING: 'wait',
  PAID: 'good',
  COMPLETED: 'good',
  SUCCEEDED: 'good',
  ACTIVE: 'good',
  FAILED: 'bad',
  EXHAUSTED: 'bad',
  EXPIRED: 'plain',
  CANCELLED: 'plain',
  PAUSED: 'wait',
};

/** A status by its word. */
export function statusBadge(status: string, word: string): string {
  return badge(word, TONES[status] ?? 'plain');
}
