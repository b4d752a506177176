import { InvalidArgumentError } from 'commander';
import { defineCommand, defineTool } from '#commands/cli/define-command.ts';
import { flag, MERCHANT, option, repeatable, required } from '#commands/cli/inputs.ts';
import { type Deployment, openDeployment } from '#commands/cli/with-deployment.ts';
import { formatAmount } from '#lib/money.ts';
import { changeOrigins } from '#merchants/change-origins.ts';
import { setMessageLimits } from '#merchants/message-limits/set-message-limits.ts';
import { setNotices as setAddress } from '#merchants/notices/set-notices.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import type { OriginUse } from '#merchants/read-origins.ts';
import { setLimits as setAmounts } from '#merchants/set-limits.ts';
import { MOST_IN_AN_HOUR } from '#settings/mail-settings.ts';
import { amountOrZero, wholeNumber } from '#settings/read-values.ts';
import { setDefaultWebhookUrl } from '#webhooks/endpoints/set-default-url.ts';
import { createWebhookUrlGuard } from '#webhooks/https/url-guard.ts';

/** The rules of the deployment for URLs of webhooks. */
export function urlGuardOf(deployment: Deployment) {
  const { webhookAllowCidrs, webhookAllowPorts, webhookResolvers } = deployment;
  return createWebhookUrlGuard({
    allowCidrs: webhookAllowCidrs,
    allowPorts: webhookAllowPorts,
    resolvers: webhookResolvers,
  });
}

/** The value that gives a limit up. */
const AS_DEPLOYED = '0: as the deployment has it';

/** `payreq merchant set-limits`: what a merchant may give back, and send (contract §11). */
export const setLimits = defineCommand({
  summary:
    'set what a merchant may give back in a day and send payers in an hour, and print both; ' +
    'without a value only print',
  options: {
    merchant: MERCHANT,
    refundsPerDay: option(
      '<amount>',
      'the highest sum of the refunds of a day, as in 10000.00; 0: refunds are off',
      readAmount,
    ),
    mailsPerHour: option('<number>', `the e-mails to payers in an hour; ${AS_DEPLOYED}`, readCount),
    smsPerHour: option('<number>', `the SMS to payers in an hour; ${AS_DEPLOYED}`, readCount),
  },
  async run(deployment, { merchant: merchantId, refundsPerDay, mailsPerHour, smsPerHour }) {
    const { refundsPerDayCents } = await setAmounts(deployment, merchantId, refundsPerDay);
    const messages = await setMessageLimits(deployment, merchantId, {
      ...(mailsPerHour !== null && { mailsPerHour: mailsPerHour || null }),
      ...(smsPerHour !== null && { smsPerHour: smsPerHour || null }),
    });
    const { currency, mailHourlyLimit, smsHourlyLimit } = deployment;
    return {
      merchantId,
      refundsPerDay: formatAmount(refundsPerDayCents),
      currency,
      mailsPerHour: messages.mailsPerHour ?? mailHourlyLimit,
      smsPerHour: messages.smsPerHour ?? smsHourlyLimit,
    };
  },
  print: ({ refundsPerDay, currency, mailsPerHour, smsPerHour }) => [
    Number(refundsPerDay) === 0
      ? 'Refunds are off for this merchant.'
      : `The merchant may give back ${refundsPerDay} ${currency} in a day.`,
    `It may send payers ${mailsPerHour} e-mails and ${smsPerHour} SMS in an hour.`,
  ],
});

function readCount(text: string): number {
  try {
    return wholeNumber(0, MOST_IN_AN_HOUR)(text);
  } catch {
    throw new InvalidArgumentError(`Give a whole number, at most ${MOST_IN_AN_HOUR}.`);
  }
}

function readAmount(text: string): number {
  try {
    return amountOrZero(text);
  } catch {
    throw new InvalidArgumentError('Give an amount, as in 10000.00, or 0.');
  }
}

/** `payreq merchant set-notices`: where a merchant learns of returned money (contract §11). */
export const setNotices = defineTool({
  summary:
    'set the address to which a merchant gets an e-mail when money was returned, when a refund ' +
    'failed, and when its bank account was changed; needs MAIL_SMTP_URL',
  options: {
    merchant: MERCHANT,
    email: option('<address>', 'the merchant’s address for notices'),
    none: flag('no e-mail: an operator’s alert names the merchant instead'),
  },
  run({ merchant, email, none }, shell) {
    if ((email === null) !== none) {
      throw new OperatorFault('Give either --email ADDRESS or --none.');
    }
    return openDeployment(shell, (deployment) => setAddress(deployment, merchant, email));
  },
  print: (_, { email }) => (email === null ? 'No e-mail is sent.' : `Notices go to ${email}.`),
});

const HOLDERS: Readonly<Record<OriginUse, string>> = {
  webhook: 'webhook endpoints and webhookUrls',
  return: 'returnUrls, the links back to its pages,',
};

/**
 * `payreq merchant set-webhook-origins` and `set-return-origins`: where production may send
 * webhooks, and where its pages may lead payers back to (contract §4).
 */
export const setOrigins = (use: OriginUse) =>
  defineCommand({
    summary:
      `register the origins that a merchant’s ${HOLDERS[use]} may have in production, and print ` +
      'them; without --add and --remove only print them',
    options: {
      merchant: MERCHANT,
      add: repeatable('<origin>', 'register this origin, as in https://shop.example; repeatable'),
      remove: repeatable('<origin>', 'refuse this origin in new calls; repeatable'),
    },
    run: (deployment, { merchant: merchantId, add, remove }) =>
      changeOrigins(deployment, { merchantId, use, add, remove }),
    json: (origins, { merchant: merchantId }) => ({ merchantId, [`${use}Origins`]: origins }),
    print: (origins) => (origins.length > 0 ? origins : 'None.'),
  });

const SENTENCES = {
  unchanged: 'Its events are sent there already.',
  moved: 'Its events are sent there from now on, also those that are still owed.',
  created: 'Its events are sent there from now on.',
} as const;

/** `payreq merchant set-webhook-url`: where all of a merchant's events are sent (contract §10). */
export const setWebhookUrl = defineCommand({
  summary:
    'set the URL for all events of a merchant, with its default listener credentials; the ' +
    'endpoint of onboarding moves to this URL',
  options: {
    merchant: MERCHANT,
    webhookUrl: required('<url>', 'the listener (https); its origin is registered too'),
  },
  run: (deployment, { merchant, webhookUrl }) =>
    setDefaultWebhookUrl({ ...deployment, guard: urlGuardOf(deployment) }, merchant, webhookUrl),
  print: ({ webhookUrl, outcome }) => [webhookUrl, SENTENCES[outcome]],
});
