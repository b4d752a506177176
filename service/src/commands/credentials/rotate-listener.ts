import { Command } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption, merchantOption, readHours } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { rotateDefaultListener } from '#webhooks/endpoints/rotate-default-listener.ts';
import { LONGEST_OVERLAP_HOURS } from '#webhooks/endpoints/schemas.ts';

/** delivery §2: a day to put the new one in place. */
const USUAL_OVERLAP_HOURS = 24;

interface Options {
  readonly merchant: string;
  readonly overlap: number;
  readonly password?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** `payreq credentials rotate-listener`: what a merchant's default listener is called with. */
export function rotateListenerCommand(invocation: Invocation): Command {
  return new Command('rotate-listener')
    .description(
      'create a new signing secret for a merchant’s default listener, and for the endpoint ' +
        'with the same credentials. The current secret also signs for the overlap',
    )
    .addOption(merchantOption())
    .option(
      '--overlap <hours>',
      `hours for which the current secret also signs, 0 to ${LONGEST_OVERLAP_HOURS}`,
      readHours,
      USUAL_OVERLAP_HOURS,
    )
    .option(
      '--password',
      'create a new Basic password as well; it is valid immediately, without overlap',
    )
    .option('--force', 'rotate during an overlap too: the oldest secret then stops signing')
    .addOption(jsonOption())
    .action(async (options: Options, command: Command) => {
      const { merchant: merchantId, overlap: overlapHours } = options;
      const { password: isPasswordNew = false, force: isForced = false } = options;
      const rotated = await withDeployment(invocation, command, (deployment) =>
        rotateDefaultListener(deployment, { merchantId, overlapHours, isPasswordNew, isForced }),
      );
      const { username, signingSecret, previousSecretExpiryDateTime: end } = rotated;
      printResult(invocation, options, rotated, [
        ...alignColumns([
          ['Username', username],
          ['Password', rotated.password],
          ['Signing secret', signingSecret],
        ]),
        '',
        end === null ? 'The older secret signs no more.' : `The older secret signs until ${end}.`,
      ]);
    });
}
