import { Command } from 'commander';
import { rotateSigningKey } from '#access/signing-keys/rotate.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';

/** `payreq keys rotate`: a new key signs, the ones before go on verifying. */
export function keysRotateCommand(invocation: Invocation): Command {
  return new Command('rotate')
    .description(
      'create the key that signs access tokens from now on; earlier tokens stay valid until they ' +
        'expire',
    )
    .option(
      '--now',
      'sign immediately, because the old key is no longer trusted; then remove that key',
    )
    .addOption(jsonOption())
    .action(async (options: { now?: boolean; json?: boolean }, command: Command) => {
      const { keyId, signsFrom } = await withDeployment(invocation, command, (deployment) =>
        rotateSigningKey(deployment, { immediately: options.now ?? false }),
      );
      const signsFromDateTime = signsFrom.toISOString();
      printResult(invocation, options, { keyId, signsFromDateTime }, [
        `Key ${keyId} is published and signs from ${signsFromDateTime}.`,
      ]);
    });
}
