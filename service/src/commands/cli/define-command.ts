import { Argument, Command } from 'commander';
import { ActProposed, printProposal } from './act-proposed.ts';
import { confirm, refuseUnconfirmed } from './confirm.ts';
import { type GlobalOptions, type Inputs, jsonOption, type Values, wordOf } from './inputs.ts';
import type { Invocation } from './invocation.ts';
import { printResult } from './print-result.ts';
import { createProgress, type Progress } from './progress.ts';
import { type Deployment, openDeployment } from './with-deployment.ts';

/** The surroundings of a command and its global options. */
export interface Shell extends Invocation, GlobalOptions {
  /** `--yes` and `--dry-run`; false on commands without them. */
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly showProgress: Progress['show'];
  /** Writes a line to standard error, beside a result in text. */
  note(line: string): void;
  /** @throws OperatorFault for every answer but yes */
  confirm(question: string): Promise<void>;
}

/** @param name the word of the command, by which its noun or the program knows it */
export type MakeCommand = (name: string, invocation: Invocation) => Command;

/** A command as data. Without `print` the command writes to its streams itself. */
export interface Described<Table extends Inputs, Result> {
  readonly summary: string;
  /** The text below the options of the help. */
  readonly more?: string;
  readonly options?: Table;
  /** The command has CONFIRM, and is refused at once where nobody could answer. */
  readonly confirms?: boolean;
  /** The document of `--json`; default: the result. */
  readonly json?: (result: Result, options: Values<Table>) => unknown;
  /** The text of `--csv`, on commands with this flag. */
  readonly csv?: (result: Result) => string;
  /** The lines for people. */
  readonly print?: (result: Result, options: Values<Table>) => string | readonly string[];
  /** Whether the result ends the run with exit code 1. */
  readonly fails?: (result: Result) => boolean;
}

interface Tool<Table extends Inputs, Result> extends Described<Table, Result> {
  readonly run: (options: Values<Table>, shell: Shell) => Result | Promise<Result>;
}

const SILENT = { isTTY: false, write() {} };

/** Makes a command whose `run` opens what it needs. */
export function defineTool<Table extends Inputs, Result>(tool: Tool<Table, Result>): MakeCommand {
  const { summary, more, print } = tool;
  const options: Inputs = tool.options ?? {};
  return (name, invocation) => {
    const command = new Command(name).description(summary);
    const places: string[] = [];
    for (const [key, { declare, absent }] of Object.entries(options)) {
      const declared = declare(key);
      if (declared instanceof Argument) {
        command.addArgument(declared);
        places.push(key);
      } else command.addOption(declared);
      if (absent !== undefined) command.setOptionValueWithSource(key, absent, 'default');
    }
    if (print) command.addOption(jsonOption());
    if (more !== undefined) command.addHelpText('after', more);
    return command.action(() => runTool(tool, invocation, command, places));
  };
}

/** Makes a command that only groups others: the key `setLimits` is the command `set-limits`. */
export function defineNoun(
  summary: string,
  commands: Readonly<Record<string, MakeCommand>>,
): MakeCommand {
  return (name, invocation) => {
    const noun = new Command(name).description(summary);
    for (const [key, make] of Object.entries(commands)) {
      noun.addCommand(make(wordOf(key), invocation));
    }
    return noun;
  };
}

async function runTool<Table extends Inputs, Result>(
  { confirms, run, json, csv, print, fails }: Tool<Table, Result>,
  invocation: Invocation,
  command: Command,
  places: readonly string[],
): Promise<void> {
  const given = command.optsWithGlobals();
  const { yes = false, dryRun = false, json: asJson = false } = given;
  const { envFile, operator } = given;
  const progress = createProgress(asJson ? SILENT : invocation.stderr, invocation.clock);
  const shell: Shell = {
    ...{ ...invocation, envFile, operator, yes, dryRun, showProgress: progress.show },
    confirm: (question) => confirm(invocation, { yes }, question),
    note(line) {
      progress.clear();
      if (!asJson) invocation.stderr.write(`${line}\n`);
    },
  };
  const values = { ...command.opts<Values<Table>>() };
  // Commander has the arguments apart, by their places.
  places.forEach((key, at) => {
    Object.assign(values, { [key]: command.processedArgs[at] ?? given[key] });
  });
  if (confirms) refuseUnconfirmed(shell);
  try {
    const result = await run(values, shell);
    progress.clear();
    if (csv && given.csv) invocation.stdout.write(csv(result));
    else if (print) {
      const lines = [print(result, values)].flat();
      printResult(invocation, { json: asJson }, json ? json(result, values) : result, lines);
    }
    if (fails?.(result)) invocation.fail();
  } catch (error) {
    if (!(error instanceof ActProposed)) throw error;
    printProposal(invocation, { json: asJson }, error);
  }
}

interface DeploymentCommand<Table extends Inputs, Result> extends Described<Table, Result> {
  readonly run: (
    deployment: Deployment,
    options: Values<Table>,
    shell: Shell,
  ) => Result | Promise<Result>;
}

/** Makes a command on the database of a deployment. */
export function defineCommand<Table extends Inputs, Result>({
  run,
  ...described
}: DeploymentCommand<Table, Result>): MakeCommand {
  return defineTool({
    ...described,
    run: (options: Values<Table>, shell) =>
      openDeployment(shell, async (deployment) => run(deployment, options, shell)),
  });
}
