import type { DatabaseReading } from '#telemetry/metrics/database-gauges.ts';
import { readChannelGauges, readMessageShares } from './upkeep-store.ts';

/** The gauges of messages to payers. */
export const MESSAGE_READINGS: readonly DatabaseReading[] = [
  {
    name: 'messages',
    gauges: [
      {
        name: 'message_wait_seconds',
        description: 'How long the oldest message to a payer that is due waits to be sent.',
      },
      {
        name: 'message_channels_broken',
        description: 'Channels whose server refuses the service: one message a minute is tried.',
      },
      {
        name: 'message_limit_wait_seconds',
        description: 'How long a merchant’s messages wait because it has sent enough in an hour.',
      },
    ],
    read: async (executor) => {
      const gauges = await readChannelGauges(executor);
      return {
        message_wait_seconds: gauges?.waitSeconds ?? 0,
        message_channels_broken: gauges?.broken ?? 0,
        message_limit_wait_seconds: gauges?.limitSeconds ?? 0,
      };
    },
  },
  {
    name: 'message-shares',
    gauges: [
      {
        name: 'message_bounce_ratio',
        description: 'The highest share of a merchant’s mails of 24 hours that came back.',
      },
      {
        name: 'message_refusal_ratio',
        description: 'The highest share of a merchant’s links of 24 hours that were refused.',
      },
    ],
    read: async (executor) => {
      const { bounced = 0, refused = 0 } = (await readMessageShares(executor)) ?? {};
      return { message_bounce_ratio: bounced, message_refusal_ratio: refused };
    },
  },
];
