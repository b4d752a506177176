import { refuseUnconfirmed } from '#commands/cli/confirm.ts';
import { defineTool } from '#commands/cli/define-command.ts';
import { CONFIRM, flag, MERCHANT, option, UsageFault } from '#commands/cli/inputs.ts';
import { openDeployment } from '#commands/cli/with-deployment.ts';
import { countText } from '#lib/words/count-text.ts';
import { type Revocation, revokeCredentials } from '#merchants/credentials/revoke.ts';

export const revoke = defineTool({
  summary: 'end credentials for good, and their tokens, within 5 s',
  options: {
    merchant: MERCHANT,
    username: option('<name>', 'this username, its passwords and its tokens'),
    apiKey: option('<id>', 'this API key, by its id (see: payreq credentials list)'),
    all: flag('every username and API key that the merchant has; asks first'),
    ...CONFIRM,
  },
  async run({ merchant: merchantId, username, apiKey, all, dryRun, yes }, shell) {
    const choices: Revocation['what'][] = [
      ...(username !== null ? [{ username }] : []),
      ...(apiKey !== null ? [{ apiKeyId: apiKey }] : []),
      ...(all ? [{ all: true as const }] : []),
    ];
    const [what] = choices;
    if (!what || choices.length > 1) {
      throw new UsageFault('give one of --username, --api-key and --all');
    }
    if (all) refuseUnconfirmed(shell);
    const asked = { merchantId, what };
    return openDeployment(shell, async (deployment) => {
      const rehearse = () => revokeCredentials(deployment, asked, 'REHEARSE');
      if (dryRun) return { ...(await rehearse()), dryRun };
      if (all && !yes) {
        const { usernames, apiKeyIds } = await rehearse();
        await shell.confirm(
          `Revoke ${countText(usernames.length, 'username')} and ` +
            `${countText(apiKeyIds.length, 'API key')} of ${merchantId} for good?`,
        );
      }
      return revokeCredentials(deployment, asked);
    });
  },
  print({ usernames, apiKeyIds }, { dryRun }) {
    const state = dryRun ? 'would be revoked' : 'is revoked';
    return [
      ...usernames.map((username) => `Username ${username} ${state}.`),
      ...apiKeyIds.map((id) => `API key ${id} ${state}.`),
    ];
  },
});
