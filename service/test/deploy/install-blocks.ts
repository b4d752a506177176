import { readFileSync } from 'node:fs';

export const PAGE = readFileSync(
  new URL('../../../docs/operations/install.md', import.meta.url),
  'utf8',
);

const JOBS_PAGE = readFileSync(
  new URL('../../../docs/operations/jobs.md', import.meta.url),
  'utf8',
);

/** The blocks of a page by name, in the order of the page. */
const blocksOf = (page: string, prefix: string): ReadonlyMap<string, string> =>
  new Map(
    [...page.matchAll(/^```sh name=(\w+)-(\S+)\.sh\n([\s\S]*?)^```$/gm)]
      .filter(([, found]) => found === prefix)
      .map(([, , name = '', code = '']) => [name, code]),
  );

export const BLOCKS = blocksOf(PAGE, 'install');
export const JOBS_BLOCKS = blocksOf(JOBS_PAGE, 'jobs');

/** Blocks that use systemctl, and the blocks that take their places. */
export const WITHOUT_SYSTEMD: Readonly<Record<string, string>> = {
  '7-units': 'without-systemd-7-processes',
  '11-reload': 'without-systemd-11-nginx',
};

/** Debian starts PostgreSQL itself where systemd runs. */
export const POSTGRES = 'without-systemd-6-postgres';
