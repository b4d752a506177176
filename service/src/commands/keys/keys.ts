import { listSigningKeys } from '#access/signing-keys/key-store.ts';
import { removeSigningKey } from '#access/signing-keys/remove.ts';
import { rotateSigningKey } from '#access/signing-keys/rotate.ts';
import { signingKeyStates } from '#access/signing-keys/states.ts';
import { tableOf } from '#commands/cli/align-columns.ts';
import { defineCommand, defineNoun } from '#commands/cli/define-command.ts';
import { argument, CONFIRM, flag } from '#commands/cli/inputs.ts';

const rotate = defineCommand({
  summary:
    'create the key that signs access tokens from now on; earlier tokens stay valid until they ' +
    'expire',
  options: {
    now: flag('sign immediately, because the old key is no longer trusted; then remove that key'),
  },
  async run(deployment, { now }) {
    const { keyId, signsFrom } = await rotateSigningKey(deployment, { immediately: now });
    return { keyId, signsFromDateTime: signsFrom.toISOString() };
  },
  print: ({ keyId, signsFromDateTime }) =>
    `Key ${keyId} is published and signs from ${signsFromDateTime}.`,
});

const list = defineCommand({
  summary: 'print the keys of access tokens, newest first, and the use of each',
  async run({ db, clock }) {
    const states = signingKeyStates(await listSigningKeys(db), clock.now());
    const keys = states.map(({ key, state }) => ({
      keyId: key.keyId,
      state,
      signsFromDateTime: key.signsFrom.toISOString(),
      removedDateTime: key.removedAt?.toISOString() ?? null,
    }));
    return { keys };
  },
  print: ({ keys }) =>
    tableOf(
      'There is no key yet. The first token call makes one, or payreq keys rotate.',
      ['KEY ID', 'STATE', 'SIGNS FROM'],
      keys.map(({ keyId, state, signsFromDateTime }) => [keyId, state, signsFromDateTime]),
    ),
});

const remove = defineCommand({
  summary: 'remove a key: every token that it signed ends within 5 s',
  options: {
    keyId: argument('the key (see: payreq keys list); not the key that signs now'),
    ...CONFIRM,
  },
  confirms: true,
  async run(deployment, { keyId, dryRun }, shell) {
    const state = await removeSigningKey(deployment, keyId, 'REHEARSE');
    if (dryRun) return { keyId, state, dryRun };
    await shell.confirm(`Remove key ${keyId} (${state}) and end its tokens?`);
    await removeSigningKey(deployment, keyId);
    return { keyId, state: 'REMOVED' };
  },
  print: ({ keyId, state, dryRun }) =>
    dryRun
      ? `Would remove key ${keyId} (${state}): every token that it signed would end.`
      : `Key ${keyId} is removed.`,
});

/** `payreq keys`: every command about signing keys. */
export const keysCommand = defineNoun('the keys that sign access tokens', { rotate, list, remove });
