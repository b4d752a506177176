import { readFile } from 'node:fs/promises';
import type { Executor } from '#database/database.ts';
import { sandboxDeliveryFaults } from '#sandbox/delivery-faults.ts';
import type { WebhookDeliveryDeps } from '#webhooks/sending/deliver-webhooks.ts';
import type { BackgroundDeps } from '../background.ts';
import { type Config, ConfigFaults } from '../config.ts';
import { approvalDepsOf } from './approvals/approval-deps.ts';
import { MONEY_ERASURE } from './erase-money.ts';
import type { Foundation } from './foundation.ts';
import { bounceWorksOf, mailerOf, sendMessagesDepsOf } from './messages/message-deps.ts';
import { networkNamed } from './networks.ts';
import type { Parts } from './parts.ts';

/**
 * The needs of the background loops.
 *
 * @param senders how many processes of this machine send webhooks
 */
export async function backgroundDepsOf(
  foundation: Foundation,
  parts: Parts,
  senders: number,
): Promise<BackgroundDeps> {
  const { config, clock, db, log, metrics } = foundation;
  const { clockWatch, move, connected } = parts;
  await checkNetwork(config, db);
  const mailer = mailerOf(config);
  return {
    db,
    log,
    metrics,
    clockWatch,
    delivery: await deliveryDepsOf(foundation, parts, senders),
    retentionEventsDays: config.retentionEventsDays,
    retentionYears: config.retentionYears,
    retention: { db, clock, secretsKey: config.secretsKey, timeZone: config.timeZone },
    erasure: { db, clock, money: MONEY_ERASURE },
    mailer,
    messages: await sendMessagesDepsOf(foundation, move, mailer),
    bounces: bounceWorksOf(foundation, move),
    isSandbox: config.environment === 'sandbox',
    move,
    simulator: config.environment === 'sandbox' ? { ...move, log, metrics } : null,
    connected,
    refund: parts.refund,
    approvals: approvalDepsOf({ ...foundation, refund: parts.refund }),
  };
}

async function deliveryDepsOf(
  { config, db, clock, log, metrics, tracing }: Foundation,
  { guard, senderSignal: signal }: Parts,
  senders: number,
): Promise<WebhookDeliveryDeps> {
  const { webhookCaFile } = config;
  return {
    db,
    clock,
    log,
    metrics,
    tracing,
    guard,
    signal,
    senders,
    faults: config.environment === 'sandbox' ? sandboxDeliveryFaults : null,
    secretsKey: config.secretsKey,
    scheduleSeconds: config.webhookRetryScheduleSeconds,
    caPem: webhookCaFile && (await readFile(webhookCaFile, 'utf8')),
  };
}

/** @throws ConfigFaults as where strangers could write bank files (bank-transfer §3) */
async function checkNetwork(config: Config, db: Executor): Promise<void> {
  const faults = (await networkNamed(config.eTransferNetwork)?.findFaults?.(config, db)) ?? [];
  if (faults.length > 0) throw new ConfigFaults(faults);
}
