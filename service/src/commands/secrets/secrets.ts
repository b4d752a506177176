import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { secretsRewrapCommand } from './rewrap.ts';

/** `payreq secrets`: every command about stored secrets. */
export function secretsCommand(invocation: Invocation): Command {
  return new Command('secrets')
    .description('stored secrets and hashes, under the keys of the configuration')
    .addCommand(secretsRewrapCommand(invocation));
}
