import { CommanderError } from 'commander';
import { ConfigFaults } from '#config.ts';
import {
  DatabaseNotReached,
  describeConnectFault,
} from '#database/connection/describe-connect-fault.ts';
import { DatabaseUnavailable } from '#database/database.ts';
import { RuntimeRoleFault } from '#database/schema/grant-runtime-role.ts';
import { WrongEnvironment } from '#database/schema/migrate.ts';
import { SchemaFault } from '#database/schema/schema-state.ts';
import { SecretUnreadable } from '#lib/secrets/secret-box.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { ProcessNotStarted } from '#processes/worker-process.ts';
import { UsageFault } from './inputs.ts';
import { SettingsFileFault } from './settings-file-fault.ts';

/** The exit codes of the command line; sysexits: 69 EX_UNAVAILABLE, 78 EX_CONFIG (contract §1). */
export const EXIT_CODES = {
  fine: 0,
  fault: 1,
  usage: 2,
  /** The act waits for the approval of a second person (decision 0068). */
  proposed: 3,
  dependency: 69,
  configuration: 78,
} as const;

/** A fault in words, and its exit code. */
export interface CliFailure {
  readonly exitCode: number;
  /** Empty where it has been said already. */
  readonly lines: readonly string[];
}

/** Puts whatever a command threw into words; only what we did not foresee shows its stack. */
export function reportError(error: unknown): CliFailure {
  const { fine, fault, usage, dependency, configuration } = EXIT_CODES;
  // Commander has printed its help or its complaint.
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? fine : usage, lines: [] };
  }
  if (error instanceof UsageFault) return { exitCode: usage, lines: [`error: ${error.message}`] };
  if (error instanceof ConfigFaults) {
    const heading = 'The configuration has faults. See: payreq config';
    return { exitCode: configuration, lines: [heading, ...error.faults.map((one) => `- ${one}`)] };
  }
  if (
    error instanceof SettingsFileFault ||
    error instanceof WrongEnvironment ||
    error instanceof SchemaFault ||
    error instanceof RuntimeRoleFault ||
    error instanceof SecretUnreadable
  ) {
    return { exitCode: configuration, lines: [error.message] };
  }
  if (error instanceof OperatorFault) return { exitCode: fault, lines: [error.message] };
  if (error instanceof ProcessNotStarted) {
    const { exitCode, signal } = error.end;
    // With an exit code it has said itself what was wrong.
    return { exitCode: exitCode || fault, lines: signal ? [`${error.message} (${signal})`] : [] };
  }
  if (error instanceof DatabaseNotReached) {
    return { exitCode: error.fault.canHeal ? dependency : configuration, lines: [error.message] };
  }
  const connectFault = describeConnectFault(databaseErrorIn(error));
  if (connectFault !== null) {
    const { canHeal, sentence } = connectFault;
    return { exitCode: canHeal ? dependency : configuration, lines: [sentence] };
  }
  if (error instanceof DatabaseUnavailable) {
    const reason = error.cause instanceof Error ? ` ${reasonOf(error.cause)}` : '';
    return { exitCode: dependency, lines: [`The database cannot be used.${reason}`] };
  }
  return { exitCode: fault, lines: [sentenceOf(error)] };
}

function reasonOf(cause: Error): string {
  // Node tells of several addresses in one error without words of its own.
  const words = cause.message || (cause instanceof AggregateError && String(cause.errors[0]));
  return words ? `(${words})` : '';
}

/** The server's refusal in an error; undefined: the error is of another origin. */
function databaseErrorIn(error: unknown): unknown {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  const isOfServer = cause instanceof Error && 'severity' in cause;
  return isOfServer || error instanceof DatabaseUnavailable ? cause : undefined;
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE' && 'port' in error) {
    return `Port ${error.port} is in use by another program. Choose another with PORT or OPS_PORT.`;
  }
  if (code === 'EACCES' && 'port' in error) {
    return `This user may not listen on port ${error.port}. Choose another with PORT or OPS_PORT.`;
  }
  return error.stack ?? error.message;
}
