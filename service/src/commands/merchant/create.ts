import { Command } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { collect, jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { type Deployment, withDeployment } from '#commands/cli/with-deployment.ts';
import { type OnboardedMerchant, onboardMerchant } from '#merchants/onboard-merchant.ts';
import { createWebhookUrlGuard } from '#webhooks/https/url-guard.ts';

interface Options {
  readonly name: string;
  readonly webhookUrl?: string;
  readonly webhookOrigin?: readonly string[];
  readonly returnOrigin?: readonly string[];
  readonly uniqueTransactionIds?: boolean;
  readonly json?: boolean;
}

/** `payreq merchant create`: onboards a merchant and shows its secrets, once (contract §10). */
export function merchantCreateCommand(invocation: Invocation): Command {
  return new Command('create')
    .description('register a merchant and print its credentials, this once')
    .requiredOption('--name <name>', 'the name that payers see, 1 to 100 characters')
    .option(
      '--webhook-url <url>',
      'the URL for all its events (https). For integration testing the sandbox should have ' +
        'another URL than production',
    )
    .option(
      '--webhook-origin <origin>',
      'an origin that a payment request’s own webhookUrl may have in production, as in ' +
        'https://shop.example; repeatable. The origin of --webhook-url is always registered',
      collect,
    )
    .option(
      '--return-origin <origin>',
      'an origin that a returnUrl, the link back to the merchant’s pages, may have in ' +
        'production; repeatable',
      collect,
    )
    .option(
      '--unique-transaction-ids',
      'refuse a merchantTransactionId that the merchant has used before',
    )
    .addOption(jsonOption())
    .action(async (options: Options, command: Command) => {
      const created = await withDeployment(invocation, command, (deployment) => {
        const { name, webhookUrl = null, webhookOrigin: webhookOrigins = [] } = options;
        const { returnOrigin: returnOrigins = [], uniqueTransactionIds = false } = options;
        return onboardMerchant(
          { ...deployment, judgeWebhookUrl: guardOf(deployment) },
          { name, webhookUrl, webhookOrigins, returnOrigins, uniqueTransactionIds },
        );
      });
      printResult(invocation, options, created, inWords(created));
    });
}

function guardOf(deployment: Deployment) {
  const guard = createWebhookUrlGuard({
    allowCidrs: deployment.webhookAllowCidrs,
    allowPorts: deployment.webhookAllowPorts,
    resolvers: deployment.webhookResolvers,
  });
  return (url: string) => guard.judge(url, 'save');
}

function inWords({ merchantId, name, username, password, apiKey, listener }: OnboardedMerchant) {
  return [
    `Merchant "${name}" is registered.`,
    '',
    ...alignColumns([
      ['Merchant id', merchantId],
      ['Username', username],
      ['Password', password],
      ['API key', apiKey],
    ]),
    '',
    'Its webhook listener is called with these:',
    ...alignColumns([
      ['Username', listener.username],
      ['Password', listener.password],
      ['Signing secret', listener.signingSecret],
    ]),
    '',
    'Keep the password and the API key now: only their hashes are stored, they cannot be shown',
    'again. The listener’s credentials can: payreq credentials show-listener.',
  ];
}
