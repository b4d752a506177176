import { InvalidArgumentError, Option } from 'commander';

/** Options that every command has, wherever they stand on the line. */
export interface GlobalOptions {
  readonly envFile?: string;
  readonly operator?: string;
}

/** Options of a command that cannot be undone. */
export interface ConfirmOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** `--dry-run` and `--yes`, on every command that cannot be undone. */
export function confirmOptions(): readonly Option[] {
  return [
    new Option('--dry-run', 'change nothing, only print the planned changes'),
    new Option('--yes', 'do not ask for confirmation'),
  ];
}

/** `--json`, on every command that prints data. */
export function jsonOption(): Option {
  return new Option('--json', 'print one JSON document instead of text');
}

export function merchantOption(): Option {
  return new Option(
    '--merchant <id>',
    'the merchant, by its id (see: payreq merchant list)',
  ).makeOptionMandatory();
}

/** Collects an option that may be given several times. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

/** Reads a number of hours; fractions are fine. */
export function readHours(text: string): number {
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text)) throw new InvalidArgumentError('Give hours, as in 24.');
  return Number(text);
}
