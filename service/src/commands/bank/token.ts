import { InvalidArgumentError } from 'commander';
import { findPolicy } from '#approvals/policy-store.ts';
import { tableOf } from '#commands/cli/align-columns.ts';
import { defineCommand, defineNoun } from '#commands/cli/define-command.ts';
import { argument, CONFIRM, choice, repeatable, usual } from '#commands/cli/inputs.ts';
import type { Deployment } from '#commands/cli/with-deployment.ts';
import { refuseFileAct } from '#compose/bank/refuse-file-act.ts';
import {
  createToken,
  endToken,
  hashOfToken,
} from '#e-transfer/bank-transfer/tokens/change-token.ts';
import { listTokens } from '#e-transfer/bank-transfer/tokens/token-store.ts';
import { TOKEN_SCOPES } from '#e-transfer/network-connection.ts';
import { formatInstant } from '#lib/instant.ts';
import { newId } from '#lib/new-id.ts';
import { recordAct } from '#merchants/audit-log-store.ts';
import { newSecret } from '#merchants/new-secret.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { readAccount } from '#settings/bank-connection-settings.ts';
import { readCidr } from '#settings/read-addresses.ts';

/** A secret that is older than this has been forgotten somewhere. */
const MOST_DAYS = 730;
/** A person reads no more of them. */
const MOST_LISTED = 200;

const create = defineCommand({
  summary: 'create a token for a program of a bank; it is printed this once',
  options: {
    scope: choice(
      TOKEN_SCOPES,
      `<${TOKEN_SCOPES.join('|')}>`,
      'bring statements, or take payment files to the bank',
    ),
    account: repeatable('<account>', 'an IBAN, or SCHEME:bank:number; several times for several'),
    from: repeatable('<cidr>', 'the addresses from which alone it is taken; default: all'),
    expiresIn: usual(365, '<days>', `its life, as 365d: 1 to ${MOST_DAYS} days`, readDays),
  },
  async run(deployment, { scope, account, from, expiresIn: days }) {
    if (scope === null || account.length === 0) {
      throw new OperatorFault('Give --scope, and --account once for each account.');
    }
    const accounts = account.map((each) => readWith(readAccount, 'account', each));
    const sources = from.map((each) => readWith(readCidr, 'from', each));
    const { db, bank, environment, actor } = deployment;
    if (scope === 'payment-files/send' && bank.refundsDir === null) {
      throw new OperatorFault('BANK_REFUNDS_DIR is not set: its journal has each payment file.');
    }
    const [id, secret] = [newId(), newSecret(environment)];
    const token = { id, scope, accounts, sources, days, secretHash: hashOfToken(secret) };
    // A shell without the setting APPROVALS acts alone no more than one with it.
    const { isOn: needsTwo } = await findPolicy(db);
    const deps = { ...depsOf(deployment), connections: bank.connections, needsTwo };
    await createToken(deps, token, actor).catch(refuseFileAct);
    return { id, token: secret, isActive: !needsTwo };
  },
  print: ({ id, token, isActive }) => [
    `Token ${id}: ${token}`,
    'It is not shown again: only its hash is stored.',
    ...(isActive ? [] : ['It counts once another person approves it on the page Bank connection.']),
  ],
});

const list = defineCommand({
  summary: 'print the tokens, newest first: scope, accounts, state and last use',
  run: async ({ db }) => ({ tokens: await listTokens(db, MOST_LISTED) }),
  json: ({ tokens }) => tokens,
  print: ({ tokens }) =>
    tableOf(
      'There is no token.',
      ['TOKEN', 'SCOPE', 'STATE', 'EXPIRES', 'LAST USE', 'ACCOUNTS', 'FROM'],
      tokens.map(({ id, scope, state, expiresAt, usedAt, accounts, sources }) => [
        ...[id, scope, state, formatInstant(expiresAt), usedAt ? formatInstant(usedAt) : 'never'],
        ...[accounts.map((each) => `…${each.slice(-4)}`).join(' '), sources.join(' ')],
      ]),
    ),
});

const revoke = defineCommand({
  summary: 'end a token at once',
  options: { id: argument('the id of the token (see: payreq token list)'), ...CONFIRM },
  confirms: true,
  async run(deployment, { id, dryRun }, shell) {
    if (dryRun) return { id, dryRun };
    await shell.confirm(`Revoke ${id}?`);
    await endToken(depsOf(deployment), id).catch(refuseFileAct);
    return { id };
  },
  print: ({ id, dryRun }) => (dryRun ? `Would revoke ${id}.` : `Token ${id} is revoked.`),
});

function depsOf(deployment: Deployment) {
  const audit: Parameters<typeof endToken>[0]['audit'] = (tx, action, details) =>
    recordAct(tx, deployment, action, null, details);
  return { db: deployment.db, audit };
}

function readDays(text: string): number {
  const days = Number(/^([1-9]\d{0,2})d$/.exec(text)?.[1] ?? 0);
  if (days >= 1 && days <= MOST_DAYS) return days;
  throw new InvalidArgumentError(`Give 1d to ${MOST_DAYS}d.`);
}

function readWith<Value>(read: (text: string) => Value, option: string, text: string): Value {
  try {
    return read(text);
  } catch (error) {
    throw new OperatorFault(`--${option} ${(error as Error).message}.`);
  }
}

/** `payreq token`: tokens of banks' programs (bank-connection §6). */
export const tokenCommand = defineNoun('tokens of banks’ programs', { create, list, revoke });
