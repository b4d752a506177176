export interface ProgramOptions {
  /** The URL of a database server's superuser. */
  readonly serverUrl: string;
  readonly isJson: boolean;
  /** The arguments after the program's name. */
  readonly args: readonly string[];
  /** The number after an option, or the default. */
  numberOf(option: string, fallback: number): number;
  /** The text after an option, or the default. */
  textOf(option: string, fallback: string): string;
}

/** Reads the arguments and the environment that scripts/bench/run-bench.mjs gives to a program. */
export function readOptions(): ProgramOptions {
  const args = process.argv.slice(3);
  const textOf = (option: string, fallback: string) =>
    args.includes(option) ? (args[args.indexOf(option) + 1] ?? fallback) : fallback;
  const serverUrl = process.env.BENCH_DATABASE_URL;
  if (!serverUrl) throw new Error('BENCH_DATABASE_URL is not set: use npm run bench.');
  return {
    serverUrl,
    isJson: args.includes('--json'),
    args,
    textOf,
    numberOf: (option, fallback) => Number(textOf(option, `${fallback}`)),
  };
}
