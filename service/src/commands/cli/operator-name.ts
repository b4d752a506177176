import { userInfo } from 'node:os';
import { InvalidArgumentError, Option } from 'commander';
import { sudoUser } from '#config.ts';
import type { GlobalOptions } from './inputs.ts';
import type { Invocation } from './invocation.ts';

/** Names and e-mail addresses; no character that could forge another part of a log line. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@+-]{0,63}$/u;

/** `--operator`, on every command: the person behind a shared account. */
export function operatorOption(): Option {
  return new Option(
    '--operator <name>',
    'your name, for the audit log (default: the account before sudo, or this account)',
  ).argParser((text: string) => {
    if (NAME.test(text)) return text;
    throw new InvalidArgumentError('Give 1 to 64 letters, digits, spaces and . _ @ + - signs.');
  });
}

/**
 * The actor of a command's audit entries: the operator's name and, where it differs, the account
 * that the operating system knows. A given name is a claim; the account stands beside it.
 */
export function operatorOf({ env, operator: given }: Pick<Invocation, 'env'> & GlobalOptions) {
  const account = accountName();
  const sudo = sudoUser(env);
  const operator = given ?? (sudo !== undefined && NAME.test(sudo) ? sudo : account);
  return operator === account ? `payreq (${account})` : `payreq (${operator}, as ${account})`;
}

/** The account that runs the command; a bare uid in a container has no name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
