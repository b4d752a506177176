import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption, merchantOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { setNotices } from '#merchants/notices/set-notices.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

interface Options {
  readonly merchant: string;
  readonly email?: string;
  readonly none?: boolean;
  readonly json?: boolean;
}

/** `payreq merchant set-notices`: where a merchant learns of returned money (contract §11). */
export function merchantSetNoticesCommand(invocation: Invocation): Command {
  return new Command('set-notices')
    .description(
      'set the address to which a merchant gets an e-mail when money was returned, when a refund ' +
        'failed, and when its bank account was changed; needs NOTICES_SMTP_URL',
    )
    .addOption(merchantOption())
    .option('--email <address>', 'the merchant’s address for notices')
    .option('--none', 'no e-mail: an operator’s alert names the merchant instead')
    .addOption(jsonOption())
    .action(async (options: Options, command: Command) => {
      const email = emailOf(options);
      const result = await withDeployment(invocation, command, (deployment) =>
        setNotices(deployment, options.merchant, email),
      );
      const line = email === null ? 'No e-mail is sent.' : `Notices go to ${email}.`;
      printResult(invocation, options, result, [line]);
    });
}

function emailOf({ email, none }: Options): string | null {
  if ((email === undefined) === (none === undefined)) {
    throw new OperatorFault('Give either --email ADDRESS or --none.');
  }
  return email ?? null;
}
