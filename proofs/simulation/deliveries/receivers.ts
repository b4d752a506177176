import type { AttemptResult } from '#webhooks/https/send-webhook.ts';
import type { DeliveryOutcome } from '#webhooks/model/outcomes.ts';
import type { Random } from '../run/random.ts';

/** How a receiver answers at the moment. */
export const MODES = [
  'OK',
  'ERROR_500',
  'BUSY_503',
  'HANGS',
  'REFUSES',
  'GONE_410',
  'LOSES_ANSWER',
] as const;
export type Mode = (typeof MODES)[number];

const OUTCOMES: Readonly<Record<Mode, DeliveryOutcome>> = {
  OK: 'SUCCEEDED',
  ERROR_500: 'REFUSED_BY_LISTENER',
  BUSY_503: 'REFUSED_BY_LISTENER',
  HANGS: 'TIMED_OUT',
  REFUSES: 'CONNECTION_REFUSED',
  GONE_410: 'GONE',
  LOSES_ANSWER: 'CONNECTION_LOST',
};
const STATUSES: Readonly<Record<Mode, number | null>> = {
  OK: 200,
  ERROR_500: 500,
  BUSY_503: 503,
  HANGS: null,
  REFUSES: null,
  GONE_410: 410,
  LOSES_ANSWER: null,
};

/** The merchant's programs, by URL, with all that they have received. */
export class Receivers {
  readonly modes = new Map<string, Mode>();
  /** The bodies that were received, by URL and event; an event has one body for ever. */
  readonly bodies = new Map<string, string>();
  /** Events that a URL has acknowledged with 2xx. */
  readonly acknowledged = new Set<string>();

  modeOf(url: string): Mode {
    return this.modes.get(url) ?? 'OK';
  }

  answer(url: string, eventId: string, random: Random): AttemptResult {
    const mode = this.modeOf(url);
    if (mode === 'OK') this.acknowledged.add(`${url} ${eventId}`);
    return {
      outcome: OUTCOMES[mode],
      httpStatus: STATUSES[mode],
      durationMs: 5,
      times: {},
      responseExcerpt: null,
      address: null,
      retryAfterSeconds: mode === 'BUSY_503' ? random.pick([null, 30, 900, 3_600]) : null,
      errorCode: null,
    };
  }
}
