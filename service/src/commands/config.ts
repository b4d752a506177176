import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { loadSettings } from '#commands/cli/read-settings.ts';
import {
  describeSettings,
  describeUnknown,
  doubtfulSettings,
  readConfig,
  type SettingDescription,
  unknownSettings,
} from '#config.ts';

/** `payreq config`: what is in force, secrets blanked, with each setting's default and meaning. */
export function configCommand(invocation: Invocation): Command {
  return new Command('config')
    .description('print every setting: its value, its default and its meaning')
    .addOption(jsonOption())
    .action((options: { json?: boolean }, command: Command) => {
      loadSettings(invocation, command);
      const settings = describeSettings(invocation.env);
      const unknown = unknownSettings(invocation.env);
      const doubtful = doubtfulSettings(invocation.env);
      const lines = [...settings.flatMap(inWords), ...unknown.map(describeUnknown), ...doubtful];
      printResult(invocation, options, { settings, unknown, doubtful }, lines);
      // Printed first, so that what is wrong can be looked up above.
      readConfig(invocation.env);
    });
}

function inWords(setting: SettingDescription): string[] {
  const absent = setting.default === null ? '(not set, but required)' : '(not set)';
  const value = setting.value === '' ? absent : setting.value;
  if (setting.file) {
    return [`${setting.name}=${value}   (from ${setting.file})`, `    ${setting.meaning}`];
  }
  return [`${setting.name}=${value}${originOf(setting)}`, `    ${setting.meaning}`];
}

function originOf({ isDefault, default: fallback }: SettingDescription): string {
  if (fallback === null) return '';
  if (isDefault) return fallback === '' ? '' : '   (default)';
  return `   (default: ${fallback === '' ? 'not set' : fallback})`;
}
