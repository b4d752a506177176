import { parseArgs } from 'node:util';
import { PaymentRequestsError } from '../errors/payment-requests-error.ts';
import { SDK_VERSION } from '../version.ts';
import { describeProgram, describeTool, flagsOf, wordOf } from './help.ts';
import { InputFault, type Tool, ToolFault, type ToolInput, type ToolShell } from './tool.ts';
import { TOOLS } from './tools.ts';

/** The exit codes of the service's command line, too. */
const EXIT_CODES = { fine: 0, fault: 1, usage: 2 } as const;

export interface Surroundings extends Omit<ToolShell, 'program'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stderr: { write(text: string): unknown };
}

/**
 * Runs one command line of this package's program.
 * @param args the words after `payment-requests`
 * @returns the exit code; the fault is on standard error already
 */
export async function runProgram(
  args: readonly string[],
  { env, stderr, ...rest }: Surroundings,
): Promise<number> {
  const shell = { ...rest, program: 'payment-requests' };
  try {
    return await runTool(args, shell, env);
  } catch (error) {
    const isUsage = error instanceof InputFault;
    const isTold = error instanceof ToolFault || error instanceof PaymentRequestsError;
    stderr.write(`${isUsage ? `error: ${error.message}` : sentenceOf(error, isTold)}\n`);
    return isUsage ? EXIT_CODES.usage : EXIT_CODES.fault;
  }
}

async function runTool(
  [word = '--help', ...args]: readonly string[],
  shell: ToolShell,
  env: Surroundings['env'],
): Promise<number> {
  const { stdout, program } = shell;
  const tools: Readonly<Record<string, Tool>> = TOOLS;
  const tool = Object.hasOwn(tools, word) ? tools[word] : undefined;
  if (word === '--version' || word === '-V') stdout.write(`${SDK_VERSION}\n`);
  else if (word === '--help' || word === '-h' || word === 'help') {
    stdout.write(describeProgram(program, Object.values(tools)));
  } else if (!tool) {
    throw new InputFault(`unknown command '${word}'. See ${program} --help`);
  } else if (args.includes('--help') || args.includes('-h')) {
    stdout.write(describeTool(program, tool));
  } else {
    const values = readValues(tool, args, env);
    const result = await tool.run(values, shell);
    if (result === null) return EXIT_CODES.fine;
    const text = values.json ? toJson(result.value) : result.lines.join('\n');
    stdout.write(`${text}\n`);
    return result.isOk ? EXIT_CODES.fine : EXIT_CODES.fault;
  }
  return EXIT_CODES.fine;
}

/** @throws InputFault with the fault of the first option or argument */
function readValues(
  { name, inputs }: Tool,
  args: readonly string[],
  env: Surroundings['env'],
): Readonly<Record<string, unknown>> {
  const named = Object.entries(inputs);
  const options = named.filter(([, input]) => !input.isArgument);
  const { values, positionals } = parse(
    args,
    options.map(([key, { placeholder }]) => [wordOf(key), placeholder === null]),
  );
  const places = named.filter(([, input]) => input.isArgument);
  if (positionals.length > places.length) {
    throw new InputFault(
      `too many arguments for '${name}'. Expected ${places.length} but got ${positionals.length}.`,
    );
  }
  return Object.fromEntries(
    named.map(([key, input]) => {
      const given = input.isArgument ? positionals.shift() : values[wordOf(key)];
      return [key, readValue(key, input, given, env)];
    }),
  );
}

function parse(args: readonly string[], options: readonly (readonly [string, boolean])[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(
        options.map(([word, isFlag]) => [word, { type: isFlag ? 'boolean' : 'string' } as const]),
      ),
    });
  } catch (error) {
    throw new InputFault(error instanceof Error ? error.message : String(error));
  }
}

function readValue(
  key: string,
  input: ToolInput<unknown>,
  given: string | boolean | undefined,
  env: Surroundings['env'],
): unknown {
  const { variable, choices, read, usual, absent, isArgument, isRequired } = input;
  const what = isArgument ? `argument '${wordOf(key)}'` : `option '${flagsOf(key, input)}'`;
  if (given === undefined) {
    if (isArgument) throw new InputFault(`missing required ${what}`);
    if (isRequired) throw new InputFault(`required ${what} not specified`);
    return (variable && env[variable]) ?? usual ?? absent;
  }
  if (typeof given === 'boolean') return given;
  const invalid = (hint: string) =>
    new InputFault(`${what}${isArgument ? '' : ' argument'} '${given}' is invalid. ${hint}`);
  if (choices && !choices.includes(given)) {
    throw invalid(`Allowed choices are ${choices.join(', ')}.`);
  }
  try {
    return read ? read(given) : given;
  } catch (error) {
    throw error instanceof InputFault ? invalid(error.message) : error;
  }
}

/** Steering characters of a merchant's texts stand in the notation of JSON. */
function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\x7f-\x9f\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function sentenceOf(error: unknown, isTold: boolean): string {
  if (!(error instanceof Error)) return String(error);
  return isTold ? error.message : (error.stack ?? error.message);
}
