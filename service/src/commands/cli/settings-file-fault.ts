/** The file named with `--env-file` cannot be read. */
export class SettingsFileFault extends Error {
  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
    super(`The settings file "${path}" cannot be read${reason}.`, { cause });
    this.name = 'SettingsFileFault';
  }
}
