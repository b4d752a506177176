import { InvalidArgumentError, Option } from 'commander';
import { flag, required } from './inputs.ts';

/** Options that every command has, wherever they stand on the line. */
export interface GlobalOptions {
  readonly envFile?: string | undefined;
  readonly operator?: string | undefined;
}

export const MERCHANT = required('<id>', 'the merchant, by its id (see: payreq merchant list)');

/** The options of a command that cannot be undone. */
export const CONFIRM = {
  dryRun: flag('change nothing, only print the planned changes'),
  yes: flag('do not ask for confirmation'),
};

/** `--json`, on every command that prints data. */
export function jsonOption(): Option {
  return new Option('--json', 'print one JSON document instead of text');
}

/** Reads a number of hours; fractions are fine. */
export function readHours(text: string): number {
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text)) throw new InvalidArgumentError('Give hours, as in 24.');
  return Number(text);
}
