import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { collect, jsonOption, merchantOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { changeOrigins } from '#merchants/change-origins.ts';
import type { OriginUse } from '#merchants/read-origins.ts';

interface Options {
  readonly merchant: string;
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly json?: boolean;
}

const HOLDERS: Readonly<Record<OriginUse, string>> = {
  webhook: 'webhook endpoints and webhookUrls',
  return: 'returnUrls, the links back to its pages,',
};

/**
 * `payreq merchant set-webhook-origins` and `set-return-origins`: where production may send
 * webhooks, and where its pages may lead payers back to (contract §4).
 */
export function merchantSetOriginsCommand(invocation: Invocation, use: OriginUse): Command {
  return new Command(`set-${use}-origins`)
    .description(
      `register the origins that a merchant’s ${HOLDERS[use]} may have in production, and print ` +
        'them; without --add and --remove only print them',
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
      const origins = await withDeployment(invocation, command, (deployment) =>
        changeOrigins(deployment, { merchantId, use, add, remove }),
      );
      const result = { merchantId, [`${use}Origins`]: origins };
      printResult(invocation, options, result, origins.length > 0 ? origins : ['None.']);
    });
}
