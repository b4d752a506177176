import type { Meter } from '@opentelemetry/api';
import { boundLabel } from '../bounded-labels.ts';

/** The measurements of messages to payers. Labels come from closed lists of the code. */
export type MessageMetrics = ReturnType<typeof measureMessages>;

/** Several times the number of kinds and statuses in the code today. */
const MOST_VALUES = 20;

export function measureMessages(meter: Meter) {
  const messages = meter.createCounter('messages_total', {
    description: 'Messages to payers that were sent or ended, by kind, channel and status.',
  });
  const broken = meter.createCounter('message_channel_failures_total', {
    description: 'Times at which the server of a channel began to refuse the service.',
  });
  const overloaded = meter.createCounter('message_addresses_overloaded_total', {
    description: 'Messages to an address that gets more than 30 a day from all merchants.',
  });
  const reports = meter.createCounter('message_reports_total', {
    description: 'Reports of mail servers about mails, by their outcome; UNKNOWN: of no mail.',
  });
  // Start at 0, so that Prometheus sees the first case as an increase.
  for (const channel of ['EMAIL', 'SMS']) {
    broken.add(0, { channel });
    overloaded.add(0, { channel });
  }
  for (const outcome of ['SUPPRESSED', 'BOUNCED', 'NOTED', 'UNKNOWN']) reports.add(0, { outcome });
  const boundKind = boundLabel(MOST_VALUES);
  const boundStatus = boundLabel(MOST_VALUES);
  return {
    messageEnded: (kind: string, channel: string, status: string) =>
      messages.add(1, { kind: boundKind(kind), channel, status: boundStatus(status) }),
    /** The server of a channel refuses the service, and its breaker opens. */
    channelBroken: (channel: string) => broken.add(1, { channel }),
    /** All merchants together send an address more than a person should get in a day. */
    addressOverloaded: (channel: string) => overloaded.add(1, { channel }),
    /** A mail server reported about a mail. */
    mailReported: (outcome: string) => reports.add(1, { outcome }),
  };
}
