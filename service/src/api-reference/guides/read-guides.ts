import { readdir, readFile } from 'node:fs/promises';
import { type Guide, guideNameOf, renderGuide } from './render-guide.ts';

/** docs/ of the project's folder, in which the service runs. */
const DOCS = new URL('../../../../docs/', import.meta.url);
const STATES = 'payment-request-states.md';
const COLLECTION = /\.postman_collection\.json$/;

export interface Guides {
  /** By their names in the address. */
  readonly pages: ReadonlyMap<string, Guide>;
  /** Files to download, by their names. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Reads and renders docs/guides; without this folder there are no guides. */
export async function readGuides(): Promise<Guides> {
  const folder = new URL('guides/', DOCS);
  const names = await readdir(folder).catch(() => []);
  const markdown = names.filter((name) => name.endsWith('.md'));
  const collections = names.filter((name) => COLLECTION.test(name));
  const sources: (readonly [string, URL])[] = markdown.map((name) => [name, new URL(name, folder)]);
  if (sources.length > 0) sources.push([STATES, new URL(STATES, DOCS)]);
  const served = new Set([...sources.map(([name]) => name), ...collections]);
  const pages = await Promise.all(
    sources.map(async ([name, url]) => {
      const guide = renderGuide(name, await readFile(url, 'utf8'), served);
      return [guideNameOf(name), guide] as const;
    }),
  );
  const files = await Promise.all(
    collections.map(async (name) => [name, await readFile(new URL(name, folder))] as const),
  );
  return { pages: new Map(pages), files: new Map(files) };
}
