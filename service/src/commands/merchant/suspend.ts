import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption, merchantOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { suspendMerchant } from '#merchants/suspend-merchant.ts';

/** `payreq merchant suspend`: ends a merchant's access, for now. */
export function merchantSuspendCommand(invocation: Invocation): Command {
  return new Command('suspend')
    .description(
      'refuse a merchant’s calls, and end its tokens, within 5 s; payments that payers have ' +
        'confirmed still end, and their webhooks are delivered',
    )
    .addOption(merchantOption())
    .addOption(jsonOption())
    .action(async (options: { merchant: string; json?: boolean }, command: Command) => {
      const { id, name, status } = await withDeployment(invocation, command, (deployment) =>
        suspendMerchant(deployment, options.merchant),
      );
      printResult(invocation, options, { merchantId: id, name, status }, [
        `Merchant "${name}" is suspended.`,
      ]);
    });
}
