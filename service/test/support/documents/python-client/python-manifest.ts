import { readFileSync } from 'node:fs';

const ROOT = new URL('../../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const URLS = /^\[project\.urls\]\n(?:\w+ = .*\n)*/m;

/** clients/python/pyproject.toml, with the addresses of its publisher. */
export function renderPythonManifest(): string {
  const { repository, homepage, bugs } = JSON.parse(read('scripts/release/publisher.json'));
  const addresses = { Homepage: homepage, Repository: repository, Issues: bugs };
  const lines = Object.entries(addresses).map(([name, url]) => `${name} = ${JSON.stringify(url)}`);
  const section = `[project.urls]\n${lines.join('\n')}\n`;
  return read('clients/python/pyproject.toml').replace(URLS, section);
}
