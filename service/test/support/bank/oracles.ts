import { existsSync, readdirSync } from 'node:fs';

/** Statements and schemas of other people; tests read them in place, and the project has none. */
export const ORACLES = new URL('../../../../../shared/oracles/camt/', import.meta.url);

/** npm test allows exactly this reason, and only while the folder is not there. */
const NOT_THERE = 'shared/oracles is not there';
export const WITHOUT_ORACLES: string | false = existsSync(ORACLES) ? false : NOT_THERE;

/** The names of the files in a folder of the oracles; none where the folder is not there. */
export function oracleFiles(folder: 'files' | 'xsd'): readonly string[] {
  return WITHOUT_ORACLES ? [] : readdirSync(new URL(`${folder}/`, ORACLES)).sort();
}
