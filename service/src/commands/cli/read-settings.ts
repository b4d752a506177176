import { type Config, ConfigFaults, loadEnvFile, readConfig } from '#config.ts';
import type { GlobalOptions } from './inputs.ts';
import type { Invocation } from './invocation.ts';
import { SettingsFileFault } from './settings-file-fault.ts';

type SettingsSource = Pick<Invocation, 'env'> & GlobalOptions;

/**
 * Adds the settings of `--env-file`, if a file is named; the environment's own win.
 *
 * @throws ConfigFaults for names that are no settings, SettingsFileFault for an unreadable file
 */
export function loadSettings({ env, envFile }: SettingsSource): void {
  if (envFile === undefined) return;
  try {
    loadEnvFile(envFile, env);
  } catch (error) {
    if (error instanceof ConfigFaults) throw error;
    throw new SettingsFileFault(envFile, error);
  }
}

/**
 * The configuration in force for a command.
 *
 * @throws ConfigFaults with every fault, SettingsFileFault for a file that cannot be read
 */
export function readSettings(source: SettingsSource): Config {
  loadSettings(source);
  return readConfig(source.env);
}
