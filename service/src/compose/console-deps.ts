import type { ConsoleDeps } from '#console/console-deps.ts';
import { approvalDepsOf } from './approvals/approval-deps.ts';
import { reportDepsOf } from './connect-network.ts';
import { moneyPartsOf } from './console/console-money.ts';
import { consoleSignInOf } from './console/console-sign-in.ts';
import { operatorPageDepsOf } from './console/operator-pages.ts';
import { consoleWebhooksOf } from './console/webhook-pages.ts';
import type { Foundation } from './foundation.ts';
import { channelsOf, delaySecondsOf, mailerOf, messageHooksOf } from './messages/message-deps.ts';
import type { Parts } from './parts.ts';

/** The needs of the console. */
export function consoleDepsOf(foundation: Foundation, parts: Parts): ConsoleDeps {
  const { config, db, reads, clock } = foundation;
  const { environment, cell, timeZone, currency, publicApiUrl, publicAuthUrl } = config;
  const { origin } = new URL(publicApiUrl);
  return {
    db,
    reads,
    signIn: consoleSignInOf(foundation),
    clock,
    environment,
    cell,
    origin,
    timeZone,
    currency,
    settings: config,
    move: reportDepsOf({ foundation, ...parts }),
    refund: parts.refund,
    messages: messageHooksOf(config, clock),
    messaging: {
      ...{ clock, channels: channelsOf(config), smsCountryCode: config.smsCountryCode },
      delaySeconds: delaySecondsOf(config),
    },
    templates: {
      settings: { ...config, isTest: environment === 'sandbox' },
      mailer: mailerOf(config),
    },
    money: moneyPartsOf(foundation, parts),
    webhooks: consoleWebhooksOf(foundation, parts),
    approvals: approvalDepsOf({ config, db, clock, refund: parts.refund }),
    credentials: { credentialsPepper: config.credentialsPepper, publicApiUrl, publicAuthUrl },
    operators: operatorPageDepsOf(foundation, parts),
    findByBankReference: parts.connected?.network.books?.findByReference ?? null,
  };
}
