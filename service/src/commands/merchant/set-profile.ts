import { factsOf } from '#commands/cli/align-columns.ts';
import { defineTool } from '#commands/cli/define-command.ts';
import { MERCHANT, option, repeatable } from '#commands/cli/inputs.ts';
import { readBoundedFile } from '#commands/cli/read-bounded-file.ts';
import { openDeployment } from '#commands/cli/with-deployment.ts';
import { PROFILE_OPTIONS } from '#merchants/profile/profile.ts';
import { setProfile as changeProfile, LARGEST_LOGO_BYTES } from '#merchants/profile/set-profile.ts';

/** `payreq merchant set-profile`: how a merchant shows itself on payers' pages (journey §1). */
export const setProfile = defineTool({
  summary:
    'set the name, contact, logo and colour with which payers’ pages show a merchant, and the ' +
    'time zone of its days, and print them; without options only print them. Check first that ' +
    'they are the merchant’s own',
  options: {
    merchant: MERCHANT,
    displayName: option('<name>', 'shown beside the registered name, 1 to 100 characters'),
    supportEmail: option('<address>', 'where payers ask about a payment'),
    supportPhone: option('<number>', 'where payers call'),
    website: option('<url>', 'the merchant’s own pages (https)'),
    logo: option('<file>', 'a PNG of at most 32 kB and 512 × 512 pixels'),
    accentColour: option('<colour>', 'a stripe beside the name, as in #2f7d4f'),
    timeZone: option('<zone>', 'the zone of its days in the console, as in America/Toronto'),
    remove: repeatable('<value>', 'remove this value, as in support-phone; repeatable'),
  },
  async run({ merchant: merchantId, logo: path, remove, ...options }, shell) {
    const logo = path === null ? null : await readBoundedFile('logo', path, LARGEST_LOGO_BYTES);
    const given = Object.entries(options).filter(([, text]) => text !== null);
    const texts = Object.fromEntries(given.filter(([name]) => name in PROFILE_OPTIONS));
    return openDeployment(shell, (deployment) =>
      changeProfile(deployment, { merchantId, texts, logo, remove }),
    );
  },
  print: (profile) =>
    factsOf({
      'Registered name': profile.name,
      'Display name': profile.displayName ?? null,
      'Support e-mail': profile.supportEmail ?? null,
      'Support phone': profile.supportPhone ?? null,
      Website: profile.website ?? null,
      'Accent colour': profile.accentColour ?? null,
      'Logo (SHA-256)': profile.logoHash ?? null,
      'Time zone': profile.timeZone ?? null,
    }),
});
