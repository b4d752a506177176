import { readFileSync } from 'node:fs';

export const PAGE = readFileSync(
  new URL('../../../docs/operations/install.md', import.meta.url),
  'utf8',
);

/** The blocks of the install page by name, in the order of the page. */
export const BLOCKS = new Map(
  [...PAGE.matchAll(/^```sh name=install-(\S+)\.sh\n([\s\S]*?)^```$/gm)].map((match) => [
    match[1] ?? '',
    match[2] ?? '',
  ]),
);

/** Blocks that use systemctl, and the blocks that take their places. */
export const WITHOUT_SYSTEMD: Readonly<Record<string, string>> = {
  '7-units': 'without-systemd-7-processes',
  '11-reload': 'without-systemd-11-nginx',
};

/** Debian starts PostgreSQL itself where systemd runs. */
export const POSTGRES = 'without-systemd-6-postgres';
