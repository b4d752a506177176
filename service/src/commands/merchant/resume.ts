import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption, merchantOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { resumeMerchant } from '#merchants/suspend-merchant.ts';

/** `payreq merchant resume`: lifts a suspension. */
export function merchantResumeCommand(invocation: Invocation): Command {
  return new Command('resume')
    .description('lift a suspension; the merchant needs new tokens, its credentials stay the same')
    .addOption(merchantOption())
    .addOption(jsonOption())
    .action(async (options: { merchant: string; json?: boolean }, command: Command) => {
      const { id, name, status } = await withDeployment(invocation, command, (deployment) =>
        resumeMerchant(deployment, options.merchant),
      );
      printResult(invocation, options, { merchantId: id, name, status }, [
        `Merchant "${name}" is active.`,
      ]);
    });
}
