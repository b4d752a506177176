import { alignColumns, factsOf } from '#commands/cli/align-columns.ts';
import { defineCommand, defineNoun } from '#commands/cli/define-command.ts';
import { flag, MERCHANT, option, readHours, repeatable, usual } from '#commands/cli/inputs.ts';
import { createCredentials } from '#merchants/credentials/create.ts';
import { readCredentials } from '#merchants/credentials/list.ts';
import { LONGEST_OVERLAP_HOURS, rotateCredentials } from '#merchants/credentials/rotate.ts';
import { FULL_SCOPE, SCOPES } from '#merchants/scopes.ts';
import { showListener } from '#merchants/show-listener.ts';
import { rotateDefaultListener } from '#webhooks/endpoints/rotate-default-listener.ts';
import { LONGEST_OVERLAP_HOURS as LONGEST_SIGNING_HOURS } from '#webhooks/endpoints/schemas.ts';
import { revoke } from './revoke.ts';

/**
 * A working day on each side of the change: long enough to roll it out, short enough to matter
 * (delivery §2).
 */
const USUAL_OVERLAP_HOURS = 24;
const SHOWN_ONCE = 'Keep these now: only hashes are stored, they cannot be shown again.';

const create = defineCommand({
  summary: 'create another username and password: with fewer scopes, or after a revocation',
  options: {
    merchant: MERCHANT,
    scope: repeatable(
      '<scope>',
      `a scope, repeatable; default: ${FULL_SCOPE}. Scopes: ${SCOPES.join(', ')}`,
    ),
  },
  run: (deployment, { merchant, scope }) =>
    createCredentials(deployment, merchant, scope.length > 0 ? scope : [FULL_SCOPE]),
  print: ({ username, password, scopes, apiKey }) => [
    ...factsOf({
      Username: username,
      Password: password,
      Scopes: scopes.join(' '),
      'API key': apiKey ?? 'the ones that the merchant has go on',
    }),
    '',
    SHOWN_ONCE,
  ],
});

const list = defineCommand({
  summary: 'print a merchant’s usernames and API keys, without their secrets',
  options: { merchant: MERCHANT },
  run: (deployment, { merchant }) => readCredentials(deployment, merchant),
  print: ({ credentials, apiKeys }) => [
    ...alignColumns([
      ['USERNAME', 'STATUS', 'LIVE PASSWORDS', 'SCOPES'],
      ...credentials.map(({ username, status, passwords, scopes }) => [
        ...[username, status, String(passwords.length), scopes.join(' ')],
      ]),
    ]),
    '',
    ...alignColumns([
      ['API KEY', 'ID', 'STATUS', 'ENDS', 'LAST USE'],
      ...apiKeys.map(({ id, hint, status, endDateTime, lastUseDateTime }) => [
        ...[`${hint}…`, id, status, endDateTime ?? 'never', lastUseDateTime ?? '-'],
      ]),
    ]),
  ],
});

const rotate = defineCommand({
  summary:
    'create a new password and API key and print them, this once. The current ones keep ' +
    'working for the overlap; older ones end now. Tokens stay valid',
  options: {
    merchant: MERCHANT,
    username: option('<name>', 'the username, if the merchant has several'),
    overlap: usual(
      USUAL_OVERLAP_HOURS,
      '<hours>',
      `hours for which the current ones keep working, 0 to ${LONGEST_OVERLAP_HOURS}`,
      readHours,
    ),
  },
  run: (deployment, { merchant: merchantId, username, overlap: overlapHours }) =>
    rotateCredentials(deployment, {
      ...{ merchantId, overlapHours },
      ...(username !== null && { username }),
    }),
  print: ({ username, password, apiKey }, { overlap }) => [
    ...factsOf({ Username: username, Password: password, 'API key': apiKey }),
    '',
    `The password and API key used until now end in ${overlap} h.`,
    SHOWN_ONCE,
  ],
});

const showDefaultListener = defineCommand({
  summary: 'print a merchant’s default listener credentials; the audit log records this',
  options: { merchant: MERCHANT },
  run: (deployment, { merchant }) => showListener(deployment, merchant),
  print: ({ username, password, signingSecret }) =>
    factsOf({ Username: username, Password: password, 'Signing secret': signingSecret }),
});

const rotateListener = defineCommand({
  summary:
    'create a new signing secret for a merchant’s default listener, and for the endpoint ' +
    'with the same credentials. The current secret also signs for the overlap',
  options: {
    merchant: MERCHANT,
    overlap: usual(
      USUAL_OVERLAP_HOURS,
      '<hours>',
      `hours for which the current secret also signs, 0 to ${LONGEST_SIGNING_HOURS}`,
      readHours,
    ),
    password: flag('create a new Basic password as well; it is valid immediately, without overlap'),
    force: flag('rotate during an overlap too: the oldest secret then stops signing'),
  },
  run: (deployment, { merchant: merchantId, overlap: overlapHours, password, force }) =>
    rotateDefaultListener(deployment, {
      ...{ merchantId, overlapHours, isPasswordNew: password, isForced: force },
    }),
  print: ({ username, password, signingSecret, previousSecretExpiryDateTime: end }) => [
    ...factsOf({ Username: username, Password: password, 'Signing secret': signingSecret }),
    '',
    end === null ? 'The older secret signs no more.' : `The older secret signs until ${end}.`,
  ],
});

/** `payreq credentials`: every command about credentials. */
export const credentialsCommand = defineNoun(
  'a merchant’s usernames, passwords, API keys and listener credentials',
  { create, list, rotate, revoke, showListener: showDefaultListener, rotateListener },
);
