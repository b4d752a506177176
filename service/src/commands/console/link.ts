import { Command, Option } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { parseGrant, ROLES } from '#console/model/roles.ts';
import { createSignInLink, linkAddress } from '#console/sign-in/links.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

interface Options {
  readonly role: string;
  readonly person: string;
  readonly merchant?: string;
  readonly json?: boolean;
}

/** Names and e-mail addresses; no character that could forge another part of an audit entry. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@+'’-]{0,99}$/u;

/** `payreq console link`: signs one person in, once, with one role. */
export function consoleLinkCommand(invocation: Invocation): Command {
  return new Command('link')
    .description('print an address that signs one person in to the console, once, for 10 minutes')
    .addOption(
      new Option('--role <role>', 'the role of the person').choices(ROLES).makeOptionMandatory(),
    )
    .requiredOption('--person <name>', 'the name of the person, for the audit log')
    .option('--merchant <id>', 'the merchant, for a role of a merchant')
    .addOption(jsonOption())
    .action(async (options: Options, command: Command) => {
      const { role, person: name, merchant } = options;
      if (!NAME.test(name)) command.error('error: --person is no name of up to 100 letters');
      const grant = parseGrant(merchant === undefined ? role : `${role}@${merchant}`);
      if (!grant) {
        throw new OperatorFault(
          merchant === undefined
            ? `The role ${role} needs --merchant.`
            : `The role ${role} covers the whole deployment and takes no --merchant.`,
        );
      }
      const made = await withDeployment(invocation, command, async (deployment) => {
        const link = await createSignInLink(deployment, { name, grant, actor: deployment.actor });
        const { origin } = new URL(deployment.publicApiUrl);
        return { ...link, url: linkAddress(origin, link.token) };
      });
      const expiresDateTime = made.expiresAt.toISOString();
      printResult(invocation, options, { url: made.url, expiresDateTime }, [
        made.url,
        `It signs ${name} in once, until ${expiresDateTime}.`,
      ]);
    });
}
