import { Command, Option } from 'commander';
import { auditCommand } from '#commands/audit/audit.ts';
import { bankDemoPayCommand } from '#commands/bank/demo-pay.ts';
import { bankImportCommand } from '#commands/bank/import.ts';
import { bankReconcileCommand } from '#commands/bank/reconcile.ts';
import { bankRefundsCommand } from '#commands/bank/refunds.ts';
import { bankUnmatchedCommand } from '#commands/bank/unmatched.ts';
import { casesAcceptCommand } from '#commands/cases/accept.ts';
import { casesAssignCommand } from '#commands/cases/assign.ts';
import { casesCloseCommand } from '#commands/cases/close.ts';
import { casesListCommand } from '#commands/cases/list.ts';
import { casesRefundCommand } from '#commands/cases/refund.ts';
import { casesShowCommand } from '#commands/cases/show.ts';
import type { Invocation, Output } from '#commands/cli/invocation.ts';
import { operatorOption } from '#commands/cli/operator-name.ts';
import { EXIT_CODES, tellFault } from '#commands/cli/report-error.ts';
import { configCommand } from '#commands/config.ts';
import { consoleLinkCommand } from '#commands/console/link.ts';
import { sessionsEndCommand, sessionsListCommand } from '#commands/console/sessions.ts';
import { credentialsCreateCommand } from '#commands/credentials/create.ts';
import { credentialsListCommand } from '#commands/credentials/list.ts';
import { credentialsRevokeCommand } from '#commands/credentials/revoke.ts';
import { credentialsRotateCommand } from '#commands/credentials/rotate.ts';
import { rotateListenerCommand } from '#commands/credentials/rotate-listener.ts';
import { credentialsShowListenerCommand } from '#commands/credentials/show-listener.ts';
import { doctorCommand } from '#commands/doctor/doctor.ts';
import { keysListCommand } from '#commands/keys/list.ts';
import { keysRemoveCommand } from '#commands/keys/remove.ts';
import { keysRotateCommand } from '#commands/keys/rotate.ts';
import { listenCommand } from '#commands/listener/listen.ts';
import { triggerCommand } from '#commands/listener/trigger.ts';
import { verifyListenerCommand } from '#commands/listener/verify.ts';
import { merchantCreateCommand } from '#commands/merchant/create.ts';
import { merchantListCommand } from '#commands/merchant/list.ts';
import { merchantListAccountsCommand } from '#commands/merchant/list-accounts.ts';
import { merchantResumeCommand } from '#commands/merchant/resume.ts';
import { merchantSetAccountCommand } from '#commands/merchant/set-account.ts';
import { merchantSetLimitsCommand } from '#commands/merchant/set-limits.ts';
import { merchantSetNoticesCommand } from '#commands/merchant/set-notices.ts';
import { merchantSetOriginsCommand } from '#commands/merchant/set-origins.ts';
import { merchantSetProfileCommand } from '#commands/merchant/set-profile.ts';
import { merchantSetWebhookUrlCommand } from '#commands/merchant/set-webhook-url.ts';
import { merchantSuspendCommand } from '#commands/merchant/suspend.ts';
import { migrateCommand } from '#commands/migrate.ts';
import { noticesCommand } from '#commands/notices/list.ts';
import { payerEraseCommand } from '#commands/payer/erase.ts';
import { refundFailCommand } from '#commands/refund/fail.ts';
import { refundListCommand } from '#commands/refund/list.ts';
import { refundShowCommand } from '#commands/refund/show.ts';
import { reportCommand } from '#commands/report/report.ts';
import { requestCancelCommand } from '#commands/request/cancel.ts';
import { requestShowCommand } from '#commands/request/show.ts';
import { restoreCheckCommand } from '#commands/restore-check/restore-check.ts';
import { secretsRewrapCommand } from '#commands/secrets/rewrap.ts';
import { serveCommand } from '#commands/serve.ts';
import packageJson from '../../package.json' with { type: 'json' };

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
  const program = createProgram(invocation);
  applyHabits(program, invocation);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    const fault = tellFault(error);
    for (const line of fault.lines) invocation.stderr.write(`${line}\n`);
    return fault.exitCode;
  }
}

/** The operator's command line: every command there is, by name. */
function createProgram(invocation: Invocation): Command {
  return new Command('payreq')
    .description('Runs and operates a payment requests service.')
    .version(packageJson.version)
    .addOption(
      new Option('--env-file <path>', 'read settings from a file of NAME=value lines as well'),
    )
    .addOption(operatorOption())
    .addCommand(serveCommand(invocation))
    .addCommand(migrateCommand(invocation))
    .addCommand(configCommand(invocation))
    .addCommand(doctorCommand(invocation))
    .addCommand(merchantCommands(invocation))
    .addCommand(requestCommands(invocation))
    .addCommand(refundCommands(invocation))
    .addCommand(
      new Command('credentials')
        .description('a merchant’s usernames, passwords, API keys and listener credentials')
        .addCommand(credentialsCreateCommand(invocation))
        .addCommand(credentialsListCommand(invocation))
        .addCommand(credentialsRotateCommand(invocation))
        .addCommand(credentialsRevokeCommand(invocation))
        .addCommand(credentialsShowListenerCommand(invocation))
        .addCommand(rotateListenerCommand(invocation)),
    )
    .addCommand(
      new Command('keys')
        .description('the keys that sign access tokens')
        .addCommand(keysRotateCommand(invocation))
        .addCommand(keysListCommand(invocation))
        .addCommand(keysRemoveCommand(invocation)),
    )
    .addCommand(
      new Command('secrets')
        .description('stored secrets and hashes, under the keys of the configuration')
        .addCommand(secretsRewrapCommand(invocation)),
    )
    .addCommand(consoleCommands(invocation))
    .addCommand(noticesCommand(invocation))
    .addCommand(casesCommands(invocation))
    .addCommand(bankCommands(invocation))
    .addCommand(
      new Command('payer')
        .description('the people who pay')
        .addCommand(payerEraseCommand(invocation)),
    )
    .addCommand(restoreCheckCommand(invocation))
    .addCommand(reportCommand(invocation))
    .addCommand(auditCommand(invocation))
    .addCommand(listenCommand(invocation))
    .addCommand(triggerCommand(invocation))
    .addCommand(verifyListenerCommand(invocation))
    .addHelpText(
      'after',
      `
Settings come from the environment; payreq config prints all of them.
Example: payreq merchant create --name "Maple Bikes" --json

Exit codes: 0 all is well, 1 it failed or a check found a fault, 2 the command line is wrong,
3 the act is only proposed and waits for a second person in the console,
69 the database is away, 78 the configuration is wrong.`,
    );
}

function consoleCommands(invocation: Invocation): Command {
  return new Command('console')
    .description('the console: one-time links and sessions of people')
    .addCommand(consoleLinkCommand(invocation))
    .addCommand(
      new Command('sessions')
        .description('who is signed in to the console')
        .addCommand(sessionsListCommand(invocation))
        .addCommand(sessionsEndCommand(invocation)),
    );
}

function bankCommands(invocation: Invocation): Command {
  return new Command('bank')
    .description('bank statements and payment files of the bank-transfer network')
    .addCommand(bankImportCommand(invocation))
    .addCommand(bankUnmatchedCommand(invocation))
    .addCommand(bankRefundsCommand(invocation))
    .addCommand(bankReconcileCommand(invocation))
    .addCommand(bankDemoPayCommand(invocation));
}

function requestCommands(invocation: Invocation): Command {
  return new Command('request')
    .description('payment requests, by any of their references')
    .addCommand(requestShowCommand(invocation))
    .addCommand(requestCancelCommand(invocation));
}

function refundCommands(invocation: Invocation): Command {
  return new Command('refund')
    .description('money that merchants give back')
    .addCommand(refundShowCommand(invocation))
    .addCommand(refundListCommand(invocation))
    .addCommand(refundFailCommand(invocation));
}

function merchantCommands(invocation: Invocation): Command {
  return new Command('merchant')
    .description('the businesses that create payment requests')
    .addCommand(merchantCreateCommand(invocation))
    .addCommand(merchantListCommand(invocation))
    .addCommand(merchantSuspendCommand(invocation))
    .addCommand(merchantResumeCommand(invocation))
    .addCommand(merchantSetProfileCommand(invocation))
    .addCommand(merchantSetAccountCommand(invocation))
    .addCommand(merchantSetLimitsCommand(invocation))
    .addCommand(merchantSetNoticesCommand(invocation))
    .addCommand(merchantListAccountsCommand(invocation))
    .addCommand(merchantSetWebhookUrlCommand(invocation))
    .addCommand(merchantSetOriginsCommand(invocation, 'webhook'))
    .addCommand(merchantSetOriginsCommand(invocation, 'return'));
}

function casesCommands(invocation: Invocation): Command {
  return new Command('cases')
    .description('matters that only a person can settle: money that matches no payment request')
    .addCommand(casesListCommand(invocation))
    .addCommand(casesShowCommand(invocation))
    .addCommand(casesAcceptCommand(invocation))
    .addCommand(casesAssignCommand(invocation))
    .addCommand(casesRefundCommand(invocation))
    .addCommand(casesCloseCommand(invocation));
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
