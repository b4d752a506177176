import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption, merchantOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { setDefaultWebhookUrl } from '#webhooks/endpoints/set-default-url.ts';
import { createWebhookUrlGuard } from '#webhooks/https/url-guard.ts';

interface Options {
  readonly merchant: string;
  readonly webhookUrl: string;
  readonly json?: boolean;
}

const SENTENCES = {
  unchanged: 'Its events are sent there already.',
  moved: 'Its events are sent there from now on, also those that are still owed.',
  created: 'Its events are sent there from now on.',
} as const;

/** `payreq merchant set-webhook-url`: where all of a merchant's events are sent (contract §10). */
export function merchantSetWebhookUrlCommand(invocation: Invocation): Command {
  return new Command('set-webhook-url')
    .description(
      'set the URL for all events of a merchant, with its default listener credentials; the ' +
        'endpoint of onboarding moves to this URL',
    )
    .addOption(merchantOption())
    .requiredOption('--webhook-url <url>', 'the listener (https); its origin is registered too')
    .addOption(jsonOption())
    .action(async (options: Options, command: Command) => {
      const result = await withDeployment(invocation, command, (deployment) => {
        const guard = createWebhookUrlGuard({
          allowCidrs: deployment.webhookAllowCidrs,
          allowPorts: deployment.webhookAllowPorts,
          resolvers: deployment.webhookResolvers,
        });
        const { merchant, webhookUrl } = options;
        return setDefaultWebhookUrl({ ...deployment, guard }, merchant, webhookUrl);
      });
      printResult(invocation, options, result, [result.webhookUrl, SENTENCES[result.outcome]]);
    });
}
