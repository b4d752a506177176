import { open } from 'node:fs/promises';
import { Command } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { collect, jsonOption, merchantOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withDeployment } from '#commands/cli/with-deployment.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { LARGEST_LOGO_BYTES, type SetProfile, setProfile } from '#merchants/profile/set-profile.ts';

interface Options {
  readonly merchant: string;
  readonly displayName?: string;
  readonly supportEmail?: string;
  readonly supportPhone?: string;
  readonly website?: string;
  readonly accentColour?: string;
  readonly logo?: string;
  readonly remove?: readonly string[];
  readonly json?: boolean;
}

/** `payreq merchant set-profile`: how a merchant shows itself on payers' pages (journey §1). */
export function merchantSetProfileCommand(invocation: Invocation): Command {
  return new Command('set-profile')
    .description(
      'set the name, contact, logo and colour with which payers’ pages show a merchant, and ' +
        'print them; without options only print them. Check first that they are the merchant’s own',
    )
    .addOption(merchantOption())
    .option('--display-name <name>', 'shown beside the registered name, 1 to 100 characters')
    .option('--support-email <address>', 'where payers ask about a payment')
    .option('--support-phone <number>', 'where payers call')
    .option('--website <url>', 'the merchant’s own pages (https)')
    .option('--logo <file>', 'a PNG of at most 32 kB and 512 × 512 pixels')
    .option('--accent-colour <colour>', 'a stripe beside the name, as in #2f7d4f')
    .option('--remove <value>', 'remove this value, as in support-phone; repeatable', collect)
    .addOption(jsonOption())
    .action(async (options: Options, command: Command) => {
      const { merchant: merchantId, logo: path, remove = [] } = options;
      const logo = path === undefined ? null : await readLogoFile(path);
      const profile = await withDeployment(invocation, command, (deployment) =>
        setProfile(deployment, { merchantId, texts: textsOf(options), logo, remove }),
      );
      printResult(invocation, options, profile, inWords(profile));
    });
}

function textsOf(options: Options) {
  const { displayName, supportEmail, supportPhone, website, accentColour } = options;
  return {
    ...(displayName !== undefined && { displayName }),
    ...(supportEmail !== undefined && { supportEmail }),
    ...(supportPhone !== undefined && { supportPhone }),
    ...(website !== undefined && { website }),
    ...(accentColour !== undefined && { accentColour }),
  };
}

/** Reads one byte more than is allowed, so that a huge file is refused and not read. */
async function readLogoFile(path: string): Promise<Buffer> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read({
        buffer: Buffer.alloc(LARGEST_LOGO_BYTES + 1),
        position: 0,
      });
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new OperatorFault(`--logo: the file "${path}" cannot be read${reason}.`);
  }
}

function inWords(profile: SetProfile): string[] {
  return alignColumns([
    ['Registered name', profile.name],
    ['Display name', profile.displayName ?? '–'],
    ['Support e-mail', profile.supportEmail ?? '–'],
    ['Support phone', profile.supportPhone ?? '–'],
    ['Website', profile.website ?? '–'],
    ['Accent colour', profile.accentColour ?? '–'],
    ['Logo (SHA-256)', profile.logoHash ?? '–'],
  ]);
}
