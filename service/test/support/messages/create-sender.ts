import { randomBytes } from 'node:crypto';
import { createMessageKey } from '#messages/addresses/message-key.ts';
import type { ClaimedMessage } from '#messages/model/message.ts';
import type { SendMessagesDeps } from '#messages/sending/record-outcome.ts';
import type { Transport } from '#messages/sending/transport.ts';
import { PUBLIC_SETTINGS } from '../payment-requests/payment-requests.ts';
import type { TestService } from '../service/service.ts';

const KEY = createMessageKey({ current: randomBytes(32), previous: null });
const SILENT = { info() {}, warn() {}, error() {}, debug() {} } as never;

export interface SenderOptions {
  /** Called for each message whose last check lets it leave. */
  readonly onSent: (message: ClaimedMessage) => void;
  /** Differs from a mail server that takes each mail. */
  readonly transport?: Partial<Transport>;
  readonly metrics?: Partial<SendMessagesDeps['metrics']>;
  readonly ratePerSecond?: number;
}

/** A sender over the database of a service that sends nothing by itself. */
export function createSender(
  { database: { db }, clock }: Pick<TestService, 'database' | 'clock'>,
  { onSent, transport = {}, metrics = {}, ratePerSecond = 1_000 }: SenderOptions,
): SendMessagesDeps {
  return {
    ...{ db, clock, log: SILENT, ratePerSecond, key: KEY },
    metrics: {
      ...{ messageEnded() {}, channelBroken() {}, addressOverloaded() {}, mailReported() {} },
      ...metrics,
    },
    hourlyLimits: { EMAIL: 1_000, SMS: 1_000 },
    settings: {
      ...PUBLIC_SETTINGS,
      ...{ mailFrom: null, mailBounceDomain: null, timeZone: 'UTC' },
      ...{ smsCountryCode: '', isTest: true },
    },
    transports: {
      EMAIL: {
        ...{ hasInbox: false, outcomeOf: () => null },
        async send({ message }, _signal, check) {
          if (!(await check())) return 'STOPPED';
          onSent(message);
          return 'SENT';
        },
        ...transport,
      },
    },
    move: {
      ...{ db, clock, settings: PUBLIC_SETTINGS },
      ...{ wakeSenders() {}, onStatusChanged() {}, onCaseOpened() {} },
    },
  };
}
