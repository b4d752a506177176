import { Command } from 'commander';
import { jsonOption, merchantOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { resumeMerchant } from '#merchants/suspend-merchant.ts';

/** `payreq merchant resume`: lifts a suspension. */
export function merchantResumeCommand(): Command {
  return new Command('resume')
    .description('lift a suspension; the merchant needs new tokens, its credentials are the same')
    .addOption(merchantOption())
    .addOption(jsonOption())
    .action(async (options: { merchant: string; json?: boolean }, command: Command) => {
      const { id, name, status } = await withDeployment(command, (deployment) =>
        resumeMerchant(deployment, options.merchant),
      );
      printResult(options, { merchantId: id, name, status }, [`Merchant "${name}" is active.`]);
    });
}
