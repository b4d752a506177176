import { resignCheckpoints } from '#audit/checkpoint-signature.ts';
import { defineCommand, defineNoun } from '#commands/cli/define-command.ts';
import { flag } from '#commands/cli/inputs.ts';
import type { Deployment } from '#commands/cli/with-deployment.ts';
import { countText } from '#lib/words/count-text.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { renewCredentialsCheck } from '#merchants/credentials/check-store.ts';
import { pepperId } from '#merchants/credentials/secret-hash.ts';
import { renewSecretsCheck } from '#merchants/secrets-check-store.ts';
import { type RewrapCounts, rewrapSecrets } from './rewrap-secrets.ts';
import { countOtherPeppers, type WaitingCredentials } from './rewrap-store.ts';

/** An operator follows up a few merchants at a time; `--json` has them all. */
const MOST_SHOWN = 10;

interface Options {
  readonly dryRun: boolean;
  readonly abandonCredentials: boolean;
}

interface Result extends RewrapCounts {
  readonly waitingCredentials: readonly WaitingCredentials[];
  readonly isPreviousKeyNeeded: boolean;
  readonly isPreviousPepperNeeded: boolean;
}

const rewrap = defineCommand({
  summary:
    'encrypt every stored secret under SECRETS_KEY, and report whether SECRETS_KEY_PREVIOUS ' +
    'or CREDENTIALS_PEPPER_PREVIOUS is still needed; safe to repeat and to interrupt',
  options: {
    dryRun: flag('change nothing, only count'),
    abandonCredentials: flag(
      'give up the previous pepper; credentials that were not used since then stop working',
    ),
  },
  run: (deployment, options) => rewrapAll(deployment, options),
  print: formatText,
  fails: ({ unreadable }) => unreadable.length > 0,
});

/** `payreq secrets`: every command about stored secrets. */
export const secretsCommand = defineNoun(
  'stored secrets and hashes, under the keys of the configuration',
  { rewrap },
);

async function rewrapAll(
  deployment: Deployment,
  { dryRun: isDryRun, abandonCredentials }: Options,
): Promise<Result> {
  const { db, clock, credentialsPepper, secretsKey, actor } = deployment;
  const counts = await rewrapSecrets({ db, secretsKey, isDryRun });
  const id = pepperId(credentialsPepper.current);
  const waiting = await countOtherPeppers(db, id, clock.now());
  const left = counts.unreadable.length + (isDryRun ? counts.rewrapped : 0);
  const isPreviousKeyNeeded = left > 0;
  const isPreviousPepperNeeded = waiting.length > 0 && !abandonCredentials;
  if (!isDryRun) {
    await db.transaction(async (tx) => {
      await resignCheckpoints(tx, secretsKey);
      if (!isPreviousKeyNeeded) await renewSecretsCheck(tx, secretsKey);
      if (!isPreviousPepperNeeded) await renewCredentialsCheck(tx, credentialsPepper);
      const { rewrapped, unreadable } = counts;
      await recordAct(tx, { clock, actor }, 'SECRETS_REWRAPPED', null, {
        rewrapped,
        unreadable: unreadable.length,
        waitingMerchants: waiting.length,
      });
    });
  }
  return { ...counts, waitingCredentials: waiting, isPreviousKeyNeeded, isPreviousPepperNeeded };
}

function formatText(result: Result, { dryRun }: Pick<Options, 'dryRun'>): string[] {
  const { rewrapped, current, unreadable, waitingCredentials } = result;
  const lines = [
    dryRun
      ? `Secrets under SECRETS_KEY_PREVIOUS: ${rewrapped}; under SECRETS_KEY: ${current}.`
      : `Secrets moved to SECRETS_KEY: ${rewrapped}; already under SECRETS_KEY: ${current}.`,
    ...unreadable.slice(0, MOST_SHOWN).map((place) => `Neither key opens ${place}.`),
    result.isPreviousKeyNeeded
      ? 'SECRETS_KEY_PREVIOUS is still needed.'
      : 'SECRETS_KEY_PREVIOUS is no longer needed.',
    ...waitingCredentials
      .slice(0, MOST_SHOWN)
      .map(
        ({ merchantId, passwords, apiKeys }) =>
          `${merchantId}: not yet used under CREDENTIALS_PEPPER: ` +
          `${countText(passwords, 'password')} and ${countText(apiKeys, 'API key')}.`,
      ),
  ];
  const more = waitingCredentials.length - MOST_SHOWN;
  if (more > 0) lines.push(`${countText(more, 'more merchant')}; --json names all of them.`);
  lines.push(
    result.isPreviousPepperNeeded
      ? 'CREDENTIALS_PEPPER_PREVIOUS is still needed: credentials move when they are next used; ' +
          'rotate or revoke unused credentials.'
      : 'CREDENTIALS_PEPPER_PREVIOUS is no longer needed.',
  );
  return lines;
}
