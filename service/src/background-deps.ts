import { readFile } from 'node:fs/promises';
import { sandboxDeliveryFaults } from '#sandbox/delivery-faults.ts';
import type { BackgroundDeps } from './background.ts';
import type { Shared } from './start-service.ts';

/** Picks the shared parts that the background loops need. */
export async function backgroundDepsOf(shared: Shared): Promise<BackgroundDeps> {
  const { config, move } = shared;
  return {
    ...shared,
    retentionEventsDays: config.retentionEventsDays,
    simulator: config.environment === 'sandbox' ? { ...move, ...shared } : null,
    connected: shared.connected,
    delivery: {
      ...shared,
      faults: config.environment === 'sandbox' ? sandboxDeliveryFaults : null,
      senders: shared.processes ?? 1,
      secretsKey: config.secretsKey,
      scheduleSeconds: config.webhookRetryScheduleSeconds,
      caPem: config.webhookCaFile && (await readFile(config.webhookCaFile, 'utf8')),
    },
  };
}
