import { defineTool } from '#commands/cli/define-command.ts';
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
export const configCommand = defineTool({
  summary: 'print every setting: its value, its default and its meaning',
  run(_, shell) {
    loadSettings(shell);
    const { env } = shell;
    const settings = describeSettings(env);
    return { settings, unknown: unknownSettings(env), doubtful: doubtfulSettings(env), env };
  },
  json: ({ env: _, ...found }) => found,
  print: ({ settings, unknown, doubtful }) => [
    ...settings.flatMap(formatSetting),
    ...unknown.map(describeUnknown),
    ...doubtful,
  ],
  fails({ env }) {
    // Printed first, so that what is wrong can be looked up above.
    readConfig(env);
    return false;
  },
});

function formatSetting(setting: SettingDescription): string[] {
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
