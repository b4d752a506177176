import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkPackages } from '../../scripts/toolchain/link-packages.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The newest migration of the planted version. */
export const NEXT_SCHEMA = 9001;
/** Busy tables change, and the processes of this version go on working (decision 0031). */
const MIGRATION = `
  alter table payment_requests add column of_the_next_version text;
  alter table webhook_deliveries add column of_the_next_version text not null default '';
  create index if not exists of_the_next_version on payment_requests (of_the_next_version);
  insert into schema_compatibility (schema, works_with) values (${NEXT_SCHEMA}, 1);`;
/** The folders that `payreq serve` reads. */
const PARTS = ['service', 'sdk', 'docs', 'scripts', 'package.json', 'tsconfig.json'];

/**
 * Plants a next version in a folder: this checkout with a migration more. A release after 1.0.0
 * takes the tag of the release before in the place of this version (decision 0118).
 * @returns the file of its command line
 */
export function plantNextVersion(folder: string): string {
  mkdirSync(folder);
  for (const part of PARTS) {
    const filter = (path: string) => basename(path) !== 'node_modules';
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, filter });
  }
  linkPackages(folder);
  writeFileSync(join(folder, `service/migrations/${NEXT_SCHEMA}-next.sql`), MIGRATION);
  return join(folder, 'service/src/cli.ts');
}
