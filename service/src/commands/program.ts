import { Command, Option } from 'commander';
import type { MakeCommand } from '#commands/cli/define-command.ts';
import type { Invocation, Output } from '#commands/cli/invocation.ts';
import { operatorOption } from '#commands/cli/operator-name.ts';
import { EXIT_CODES, reportError } from '#commands/cli/report-error.ts';
import packageJson from '../../package.json' with { type: 'json' };

/** Every command, by its word and in the order of the help. A run loads only its own. */
const COMMANDS: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  serve: async () => (await import('#commands/serve.ts')).serveCommand,
  migrate: async () => (await import('#commands/migrate.ts')).migrateCommand,
  config: async () => (await import('#commands/config.ts')).configCommand,
  doctor: async () => (await import('#commands/doctor/doctor.ts')).doctorCommand,
  merchant: async () => (await import('#commands/merchant/merchant.ts')).merchantCommand,
  request: async () => (await import('#commands/request/request.ts')).requestCommand,
  refund: async () => (await import('#commands/refund/refund.ts')).refundCommand,
  template: async () => (await import('#commands/template/template.ts')).templateCommand,
  mail: async () => (await import('#commands/mail/mail.ts')).mailCommand,
  messages: async () => (await import('#commands/messages/messages.ts')).messagesCommand,
  credentials: async () =>
    (await import('#commands/credentials/credentials.ts')).credentialsCommand,
  keys: async () => (await import('#commands/keys/keys.ts')).keysCommand,
  secrets: async () => (await import('#commands/secrets/secrets.ts')).secretsCommand,
  console: async () => (await import('#commands/console/console.ts')).consoleCommand,
  notices: async () => (await import('#commands/notices/list.ts')).noticesCommand,
  cases: async () => (await import('#commands/cases/cases.ts')).casesCommand,
  bank: async () => (await import('#commands/bank/bank.ts')).bankCommand,
  token: async () => (await import('#commands/bank/token.ts')).tokenCommand,
  payer: async () => (await import('#commands/payer/payer.ts')).payerCommand,
  prune: async () => (await import('#commands/prune.ts')).pruneCommand,
  'restore-check': async () =>
    (await import('#commands/restore-check/restore-check.ts')).restoreCheckCommand,
  report: async () => (await import('#commands/report/report.ts')).reportCommand,
  audit: async () => (await import('#commands/audit/audit.ts')).auditCommand,
  mcp: async () => (await import('#commands/mcp/mcp.ts')).mcpCommand,
  listen: async () => (await import('#commands/listener.ts')).listenCommand,
  trigger: async () => (await import('#commands/listener.ts')).triggerCommand,
  'verify-listener': async () => (await import('#commands/listener.ts')).verifyListenerCommand,
};

/**
 * Runs one command line.
 * @param args the words after `payreq`
 * @returns the exit code; the fault is on standard error already
 */
export async function runProgram(
  args: readonly string[],
  surroundings: Omit<Invocation, 'fail' | 'markProposed'>,
): Promise<number> {
  let exitCode: number = EXIT_CODES.fine;
  const fail = () => {
    exitCode = EXIT_CODES.fault;
  };
  const markProposed = () => {
    exitCode = EXIT_CODES.proposed;
  };
  const invocation = { ...surroundings, fail, markProposed };
  try {
    const program = await createProgram(invocation, args);
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    const fault = reportError(error);
    for (const line of fault.lines) invocation.stderr.write(`${line}\n`);
    return fault.exitCode;
  }
}

/** The operator's command line, with the named commands. */
async function createProgram(invocation: Invocation, args: readonly string[]): Promise<Command> {
  const program = new Command('payreq')
    .description('Runs and operates a payment requests service.')
    .version(packageJson.version)
    .addOption(
      new Option('--env-file <path>', 'read settings from a file of NAME=value lines as well'),
    )
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
Settings come from the environment; payreq config prints all of them.
Example: payreq merchant create --name "Maple Bikes" --json

Exit codes: 0 all is well, 1 it failed or a check found a fault, 2 the command line is wrong,
3 the act is only proposed and waits for a second person in the console,
69 the database is away, 78 the configuration is wrong.`,
    );
  applyHabits(program, invocation);
  for (const [word, make] of await loadCommands(firstWord(program, args))) {
    const command = make(word, invocation);
    program.addCommand(command);
    applyHabits(command, invocation);
  }
  return program;
}

/** The first word that is no global option, as Commander reads it. */
function firstWord(program: Command, args: readonly string[]): string | undefined {
  return program.parseOptions([...args]).operands[0];
}

/** A run needs one command; help and the hint at a misspelled word need all of them. */
function loadCommands(asked: string | undefined) {
  const all = Object.entries(COMMANDS);
  const named = all.filter(([word]) => word === asked);
  const wanted = named.length > 0 ? named : all;
  return Promise.all(wanted.map(async ([word, load]) => [word, await load()] as const));
}

/**
 * Prints to the streams of the invocation, and throws where Commander would end the process with a
 * code of its own: ours are documented.
 */
function applyHabits(command: Command, invocation: Invocation): void {
  const { stdout, stderr } = invocation;
  command
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => widthOf(stdout),
      getErrHelpWidth: () => widthOf(stderr),
    });
  for (const child of command.commands) applyHabits(child, invocation);
}

/** Commander's own width where the output is no terminal. */
function widthOf({ isTTY, columns }: Output): number {
  return (isTTY ? columns : undefined) ?? 80;
}
