import { Command, InvalidArgumentError } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption, merchantOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { formatAmount } from '#lib/money.ts';
import { setLimits } from '#merchants/set-limits.ts';
import { amountOrZero } from '#settings/read-values.ts';

interface Options {
  readonly merchant: string;
  readonly refundsPerDay?: number;
  readonly json?: boolean;
}

/** `payreq merchant set-limits`: what a merchant may give back in a day (contract §11). */
export function merchantSetLimitsCommand(invocation: Invocation): Command {
  return new Command('set-limits')
    .description(
      'set what a merchant may give back in a day, and print it; without an amount only print',
    )
    .addOption(merchantOption())
    .option(
      '--refunds-per-day <amount>',
      'the highest sum of the refunds of a day, as in 10000.00; 0: refunds are off',
      readAmount,
    )
    .addOption(jsonOption())
    .action(async (options: Options, command: Command) => {
      const { merchant: merchantId, refundsPerDay = null } = options;
      const { limits, currency } = await withDeployment(
        invocation,
        command,
        async (deployment) => ({
          limits: await setLimits(deployment, merchantId, refundsPerDay),
          currency: deployment.currency,
        }),
      );
      const amount = formatAmount(limits.refundsPerDayCents);
      const words =
        limits.refundsPerDayCents === 0
          ? 'Refunds are off for this merchant.'
          : `The merchant may give back ${amount} ${currency} in a day.`;
      printResult(invocation, options, { merchantId, refundsPerDay: amount, currency }, [words]);
    });
}

function readAmount(text: string): number {
  try {
    return amountOrZero(text);
  } catch {
    throw new InvalidArgumentError('Give an amount, as in 10000.00, or 0.');
  }
}
