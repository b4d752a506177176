import { readFile } from 'node:fs/promises';
import type { Clock } from '#lib/clock.ts';
import type { LoopWork } from '#lib/loop.ts';
import type { Mailer } from '#lib/mail/mailer.ts';
import { createMessageKey } from '#messages/addresses/message-key.ts';
import { bounceListener } from '#messages/bounces/listen.ts';
import { maildirReader } from '#messages/bounces/read-maildir.ts';
import { createSmtpMailer, type DkimKey } from '#messages/mail/smtp-mailer.ts';
import { sandboxDelaySeconds } from '#messages/model/sandbox-outcomes.ts';
import { createMessageHooks, type WriteMessages } from '#messages/outbox/write-messages.ts';
import type { SendMessagesDeps } from '#messages/sending/record-outcome.ts';
import { productionTransports, sandboxTransports } from '#messages/sending/transports.ts';
import { createSmsHook } from '#messages/sms/sms-hook.ts';
import { CHANNELS, type Channel } from '#payment-requests/model/messages/delivery.ts';
import type { ChangeStatusDeps } from '#payment-requests/status/change-status.ts';
import type { Config } from '../../config.ts';
import type { Foundation } from '../foundation.ts';

type Environment = Pick<Config, 'environment'>;
type Hooked = Pick<Config, 'environment' | 'timeZone'>;

/** How much later the sandbox tries a message to a slow address. */
export function delaySecondsOf({ environment }: Environment) {
  return environment === 'sandbox' ? sandboxDelaySeconds : () => 0;
}

/** The hooks that write messages to payers, in the transactions of their causes. */
export function messageHooksOf(config: Hooked, clock: Clock): WriteMessages {
  return createMessageHooks({
    clock,
    timeZone: config.timeZone,
    delaySeconds: delaySecondsOf(config),
  });
}

/** The one mailer of this process; null: no mail server is configured. */
export function mailerOf(config: Config): Mailer | null {
  const { mailSmtpUrl: server, mailFrom: from } = config;
  // The configuration refuses a server without a sender.
  if (server === null || from === null) return null;
  return createSmtpMailer({ server, from, dkim: dkimKeyOf(config) });
}

/** null: the mail server signs, or nobody does. The configuration refuses half of a key. */
export function dkimKeyOf({
  mailDkimKey: privateKey,
  mailDkimSelector: selector,
}: Pick<Config, 'mailDkimKey' | 'mailDkimSelector'>): DkimKey | null {
  return privateKey !== null && selector !== null ? { selector, privateKey } : null;
}

/** The channels of this deployment: the sandbox has both, and sends nothing outside. */
export function channelsOf(config: Config): readonly Channel[] {
  if (config.environment === 'sandbox') return CHANNELS;
  const isThere = { EMAIL: config.mailSmtpUrl !== null, SMS: config.smsUrl !== null };
  return CHANNELS.filter((channel) => isThere[channel]);
}

/** The way to the relay of SMS; null: none is configured. */
async function smsHookOf({ smsUrl: url, smsToken: token, smsCaFile }: Config) {
  // The configuration refuses a relay without a token.
  if (url === null || token === null) return null;
  return createSmsHook({ url, token, caPem: smsCaFile && (await readFile(smsCaFile, 'utf8')) });
}

/** The needs of the loops that send messages. */
export async function sendMessagesDepsOf(
  { config, clock, db, log, metrics }: Foundation,
  move: ChangeStatusDeps,
  mailer: Mailer | null,
): Promise<SendMessagesDeps> {
  const isTest = config.environment === 'sandbox';
  return {
    db,
    clock,
    log,
    metrics,
    settings: { ...config, isTest },
    transports: isTest
      ? sandboxTransports(mailer, config.mailSandboxRecipients)
      : productionTransports(mailer, await smsHookOf(config)),
    key: createMessageKey(config.secretsKey),
    move,
    ratePerSecond: config.mailRate,
    hourlyLimits: { EMAIL: config.mailHourlyLimit, SMS: config.smsHourlyLimit },
  };
}

/** The loops that learn of mails that came back. */
export function bounceWorksOf(
  { config, clock, db, log, metrics }: Foundation,
  move: ChangeStatusDeps,
): readonly LoopWork[] {
  const { mailBounceDomain: domain, mailBounceDir: folder, mailBouncePort: port } = config;
  if (domain === null) return [];
  const deps = { db, clock, log, metrics, move, domain };
  return [
    ...(folder === null ? [] : [maildirReader(deps, folder)]),
    ...(port === 0 ? [] : [bounceListener({ ...deps, host: config.mailBounceHost, port })]),
  ];
}
