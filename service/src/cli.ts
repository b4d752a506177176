#!/usr/bin/env node
import { Command, Option } from 'commander';
import { auditCommand } from '#commands/audit/audit.ts';
import { casesCloseCommand } from '#commands/cases/close.ts';
import { casesListCommand } from '#commands/cases/list.ts';
import { operatorOption } from '#commands/cli/operator-name.ts';
import { tellFault } from '#commands/cli/report-error.ts';
import { configCommand } from '#commands/config.ts';
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
import { merchantResumeCommand } from '#commands/merchant/resume.ts';
import { merchantSetOriginsCommand } from '#commands/merchant/set-origins.ts';
import { merchantSetWebhookUrlCommand } from '#commands/merchant/set-webhook-url.ts';
import { merchantSuspendCommand } from '#commands/merchant/suspend.ts';
import { migrateCommand } from '#commands/migrate.ts';
import { noticesCommand } from '#commands/notices/list.ts';
import { payerEraseCommand } from '#commands/payer/erase.ts';
import { secretsRewrapCommand } from '#commands/secrets/rewrap.ts';
import { serveCommand } from '#commands/serve.ts';
import packageJson from '../package.json' with { type: 'json' };

/** After a failure: time for what was printed to be read. */
const EXIT_MS = 1_000;

/** The operator's command line: every command there is, by name. */
const program = new Command('payreq')
  .description('Runs and looks after a payment requests service.')
  .version(packageJson.version)
  .addOption(
    new Option('--env-file <path>', 'read settings from a file of NAME=value lines as well'),
  )
  .addOption(operatorOption())
  .addCommand(serveCommand())
  .addCommand(migrateCommand())
  .addCommand(configCommand())
  .addCommand(doctorCommand())
  .addCommand(
    new Command('merchant')
      .description('the businesses that create payment requests')
      .addCommand(merchantCreateCommand())
      .addCommand(merchantListCommand())
      .addCommand(merchantSuspendCommand())
      .addCommand(merchantResumeCommand())
      .addCommand(merchantSetWebhookUrlCommand())
      .addCommand(merchantSetOriginsCommand()),
  )
  .addCommand(
    new Command('credentials')
      .description('a merchant’s usernames, passwords, API keys and listener credentials')
      .addCommand(credentialsCreateCommand())
      .addCommand(credentialsListCommand())
      .addCommand(credentialsRotateCommand())
      .addCommand(credentialsRevokeCommand())
      .addCommand(credentialsShowListenerCommand())
      .addCommand(rotateListenerCommand()),
  )
  .addCommand(
    new Command('keys')
      .description('the keys that sign access tokens')
      .addCommand(keysRotateCommand())
      .addCommand(keysListCommand())
      .addCommand(keysRemoveCommand()),
  )
  .addCommand(
    new Command('secrets')
      .description('what is stored encrypted or hashed, under the keys of the configuration')
      .addCommand(secretsRewrapCommand()),
  )
  .addCommand(noticesCommand())
  .addCommand(
    new Command('cases')
      .description('what only a person can settle: money that fits no payment request')
      .addCommand(casesListCommand())
      .addCommand(casesCloseCommand()),
  )
  .addCommand(
    new Command('payer')
      .description('the people who were asked to pay')
      .addCommand(payerEraseCommand()),
  )
  .addCommand(auditCommand())
  .addCommand(listenCommand())
  .addCommand(triggerCommand())
  .addCommand(verifyListenerCommand())
  .addHelpText(
    'after',
    `
Settings come from the environment; payreq config prints all of them.
Example: payreq merchant create --name "Maple Bikes" --json

Exit codes: 0 all is well, 1 it failed or a check found a fault, 2 the command line is wrong,
69 the database is away, 78 the configuration is wrong.`,
  );

applyHabits(program);
try {
  await program.parseAsync();
} catch (error) {
  const { exitCode, lines } = tellFault(error);
  for (const line of lines) console.error(line);
  process.exitCode = exitCode;
  // A connection that still opens, or a channel to a parent, must not keep a command that failed.
  setTimeout(() => process.exit(), EXIT_MS).unref();
}

/** Throws where Commander would end the process with a code of its own: ours are documented. */
function applyHabits(command: Command): void {
  command.exitOverride().configureHelp({ showGlobalOptions: true });
  for (const child of command.commands) applyHabits(child);
}
