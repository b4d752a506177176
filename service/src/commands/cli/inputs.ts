import { Argument, InvalidArgumentError, Option } from 'commander';

/** An option or argument of a command; `run` gets its value under its key in the table. */
export interface Input<Value> {
  /** @param key its key in the table: `refundsPerDay` is `--refunds-per-day` */
  readonly declare: (key: string) => Option | Argument;
  /** The value without the option; undefined: Commander knows it, or refuses the command line. */
  readonly absent?: Value | undefined;
}

/** The options and arguments of a command, in the order of its help. */
export type Inputs = Readonly<Record<string, Input<unknown>>>;

export type Values<Table extends Inputs> = {
  readonly [Key in keyof Table]: Table[Key] extends Input<infer Value> ? Value : never;
};

/**
 * The reader alone gives the type of a value: without `NoInfer` the table would.
 *
 * @throws InvalidArgumentError with a hint
 */
type Read<Value> = (text: string) => Value;

export function argument<Value = string>(
  summary: string,
  read?: Read<Value>,
): Input<NoInfer<Value>> {
  return {
    declare(key) {
      const made = new Argument(`<${wordOf(key)}>`, summary);
      return read ? made.argParser(read) : made;
    },
  };
}

export function flag(summary: string): Input<boolean> {
  return { declare: (key) => new Option(`--${wordOf(key)}`, summary), absent: false };
}

/** @param placeholder the value in the help, as in `<hours>` */
export function option<Value = string>(
  placeholder: string,
  summary: string,
  read?: Read<Value>,
): Input<NoInfer<Value> | null> {
  return { declare: (key) => valueOption(key, placeholder, summary, read), absent: null };
}

export function required<Value = string>(
  placeholder: string,
  summary: string,
  read?: Read<Value>,
): Input<NoInfer<Value>> {
  return {
    declare: (key) => valueOption(key, placeholder, summary, read).makeOptionMandatory(),
  };
}

/** An option with a usual value, which the help shows. */
export function usual<Value>(
  value: Value,
  placeholder: string,
  summary: string,
  read?: Read<Value>,
): Input<NoInfer<Value>> {
  return { declare: (key) => valueOption(key, placeholder, summary, read).default(value) };
}

export function repeatable(placeholder: string, summary: string): Input<readonly string[]> {
  return {
    declare: (key) => valueOption(key, placeholder, summary).argParser(collect),
    absent: [],
  };
}

export function choice<Value extends string>(
  choices: readonly Value[],
  placeholder: string,
  summary: string,
): Input<NoInfer<Value> | null> {
  return {
    declare: (key) => valueOption(key, placeholder, summary).choices(choices),
    absent: null,
  };
}

function valueOption(
  key: string,
  placeholder: string,
  summary: string,
  read?: Read<unknown>,
): Option {
  const made = new Option(`--${wordOf(key)} ${placeholder}`, summary);
  return read ? made.argParser(read) : made;
}

/** The key of a table as a word of the command line. */
export function wordOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Collects an option that may be given several times. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

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

/** Options that do not fit together; the message continues `error: `. */
export class UsageFault extends Error {
  override name = 'UsageFault';
}
