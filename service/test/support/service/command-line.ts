import { fileURLToPath } from 'node:url';

/** The command line as it is in the project. */
export const SOURCE_COMMAND_LINE = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));
/** In a run of many tests its modules are joined, as those of a release are. */
export const COMMAND_LINE = process.env.TEST_COMMAND_LINE ?? SOURCE_COMMAND_LINE;
