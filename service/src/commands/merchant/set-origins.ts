import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { collect, jsonOption, merchantOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { changeWebhookOrigins } from '#merchants/change-webhook-origins.ts';

interface Options {
  readonly merchant: string;
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly json?: boolean;
}

/** `payreq merchant set-webhook-origins`: where production may send webhooks (contract §4). */
export function merchantSetOriginsCommand(invocation: Invocation): Command {
  return new Command('set-webhook-origins')
    .description(
      'register the origins that a merchant’s webhook endpoints and webhookUrls may have in ' +
        'production, and print them; without --add and --remove only print them',
    )
    .addOption(merchantOption())
    .option(
      '--add <origin>',
      'register this origin, as in https://shop.example; repeatable',
      collect,
    )
    .option('--remove <origin>', 'refuse this origin in new calls; repeatable', collect)
    .addOption(jsonOption())
    .action(async (options: Options, command: Command) => {
      const { merchant: merchantId, add = [], remove = [] } = options;
      const result = await withDeployment(invocation, command, (deployment) =>
        changeWebhookOrigins(deployment, { merchantId, add, remove }),
      );
      const { webhookOrigins } = result;
      printResult(
        invocation,
        options,
        result,
        webhookOrigins.length > 0 ? webhookOrigins : ['None.'],
      );
    });
}
