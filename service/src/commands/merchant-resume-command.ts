import { Command } from 'commander';
import { resumeMerchant } from '#merchants/suspend-merchant.ts';
import { jsonOption, merchantOption } from './command-options.ts';
import { printResult } from './print-result.ts';
import { withDeployment } from './with-deployment.ts';

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
