import type { Command } from 'commander';
import { type Config, loadEnvFile, readConfig } from '../config.ts';
import type { GlobalOptions } from './command-options.ts';
import { SettingsFileFault } from './settings-file-fault.ts';

/** Adds the settings of `--env-file`, if one is named; the environment's own win. */
export function loadSettings(command: Command): void {
  const { envFile } = command.optsWithGlobals<GlobalOptions>();
  if (envFile === undefined) return;
  try {
    loadEnvFile(envFile);
  } catch (error) {
    throw new SettingsFileFault(envFile, error);
  }
}

/**
 * The configuration in force for a command.
 *
 * @throws ConfigFaults with every fault, SettingsFileFault for a file that cannot be read
 */
export function readSettings(command: Command): Config {
  loadSettings(command);
  return readConfig();
}
