/** Settings that were renamed, each with its name now. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  NOTICES_SMTP_URL: 'MAIL_SMTP_URL',
  NOTICES_SMTP_URL_FILE: 'MAIL_SMTP_URL_FILE',
  NOTICES_FROM: 'MAIL_FROM',
};

export const FORMER = Object.keys(FORMER_NAMES);

/** A former name is refused: what it sets would otherwise be missing without a word. */
export function faultsOfFormerNames(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(FORMER_NAMES)
    .filter(([former]) => (env[former] ?? '') !== '')
    .map(([former, now]) => `${former} is called ${now} now: rename the setting.`);
}
