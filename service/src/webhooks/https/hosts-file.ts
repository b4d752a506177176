import { readFile, stat } from 'node:fs/promises';

/** Large block lists have some 100,000 lines; nothing beyond this is a hosts file. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Finds the addresses that the hosts file gives a name; none when it does not know the name. */
export type HostsFile = (name: string) => Promise<readonly string[]>;

/** Reads the system's hosts file, again whenever it has changed. A missing file knows no name. */
export function createHostsFile(path = '/etc/hosts'): HostsFile {
  let version = '';
  let names: ReadonlyMap<string, readonly string[]> = new Map();

  return async (name) => {
    const file = await stat(path).catch(() => null);
    const found = file === null ? 'missing' : `${file.mtimeMs} ${file.size}`;
    if (found !== version) {
      const readable = file !== null && file.size <= MOST_BYTES;
      names = parseHosts(readable ? await readFile(path, 'utf8').catch(() => '') : '');
      version = found;
    }
    return names.get(name.toLowerCase()) ?? [];
  };
}

/** Names in lower case, each with its addresses in the order of the file. Pure. */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address, ...aliases] = line.replace(/#.*$/, '').trim().split(/\s+/);
    if (!address) continue;
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      const known = names.get(name);
      if (known) known.push(address);
      else names.set(name, [address]);
    }
  }
  return names;
}
