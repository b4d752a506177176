import { Command } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption, merchantOption, readHours } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { LONGEST_OVERLAP_HOURS, rotateCredentials } from '#merchants/credentials/rotate.ts';

/** A working day on each side of the change: long enough to roll it out, short enough to matter. */
const USUAL_OVERLAP_HOURS = 24;

interface Options {
  readonly merchant: string;
  readonly username?: string;
  readonly overlap: number;
  readonly json?: boolean;
}

/** `payreq credentials rotate`: new password and API key, the old ones live on for a while. */
export function credentialsRotateCommand(invocation: Invocation): Command {
  return new Command('rotate')
    .description(
      'create a new password and API key and print them, this once. The current ones keep ' +
        'working for the overlap; older ones end now. Tokens stay valid',
    )
    .addOption(merchantOption())
    .option('--username <name>', 'the username, if the merchant has several')
    .option(
      '--overlap <hours>',
      `hours for which the current ones keep working, 0 to ${LONGEST_OVERLAP_HOURS}`,
      readHours,
      USUAL_OVERLAP_HOURS,
    )
    .addOption(jsonOption())
    .action(async (options: Options, command: Command) => {
      const { merchant: merchantId, username, overlap: overlapHours } = options;
      const rotated = await withDeployment(invocation, command, (deployment) =>
        rotateCredentials(deployment, {
          merchantId,
          overlapHours,
          ...(username !== undefined && { username }),
        }),
      );
      printResult(invocation, options, rotated, [
        ...alignColumns([
          ['Username', rotated.username],
          ['Password', rotated.password],
          ['API key', rotated.apiKey],
        ]),
        '',
        `The password and API key used until now end in ${overlapHours} h.`,
        'Keep these now: only hashes are stored, they cannot be shown again.',
      ]);
    });
}
