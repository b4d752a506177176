import { readdir, readFile } from 'node:fs/promises';
import type { OpenApiDocumentOptions } from '../openapi-document.ts';
import { type Guide, guideNameOf, renderGuide } from './render-guide.ts';

/** docs/ of the project's folder, in which the service runs. */
const DOCS = new URL('../../../../docs/', import.meta.url);
const STATES = 'payment-request-states.md';
const COLLECTION = /\.postman_collection\.json$/;

const EXAMPLE_ORIGIN = 'https://pay.example.com';

type Deployment = Omit<OpenApiDocumentOptions, 'operations'>;

export interface Guides {
  /** By their names in the address; the index has an empty name. */
  readonly pages: ReadonlyMap<string, Guide>;
  /** All but the index, in the order in which the index names them. */
  readonly ordered: readonly Guide[];
  /** Files to download, by their names. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Reads and renders docs/guides; without this folder there are no guides. */
export async function readGuides(deployment: Deployment): Promise<Guides> {
  const folder = new URL('guides/', DOCS);
  const names = await readdir(folder).catch(() => []);
  const markdown = names.filter((name) => name.endsWith('.md'));
  const collections = names.filter((name) => COLLECTION.test(name));
  const sources: (readonly [string, URL])[] = markdown.map((name) => [name, new URL(name, folder)]);
  if (sources.length > 0) sources.push([STATES, new URL(STATES, DOCS)]);
  const served = new Set([...sources.map(([name]) => name), ...collections]);
  const pages = await Promise.all(
    sources.map(async ([name, url]) => {
      const text = withOwnAddresses(await readFile(url, 'utf8'), deployment);
      return [guideNameOf(name), renderGuide(name, text, served)] as const;
    }),
  );
  const files = await Promise.all(
    collections.map(async (name) => [name, await readFile(new URL(name, folder))] as const),
  );
  const index = pages.find(([name]) => name === '')?.[1].body ?? '';
  // The last link: the first may be a hint where to begin.
  const place = ({ name }: Guide) => index.lastIndexOf(`"/docs/guides/${name}"`);
  const guides = pages.map(([, guide]) => guide).filter(({ name }) => name !== '');
  const ordered = guides.sort((one, other) => place(one) - place(other));
  return {
    pages: new Map(pages),
    ordered: ordered.map((guide) => {
      const headings = index.slice(0, place(guide)).matchAll(/<h2[^>]*>(.*?)<\/h2>/g);
      return { ...guide, group: [...headings].at(-1)?.[1] ?? '' };
    }),
    files: new Map(files),
  };
}

/** The examples are calls of a sandbox: a production's guides keep them, and send nobody there. */
function withOwnAddresses(text: string, deployment: Deployment): string {
  const { environment, publicApiUrl, publicAuthUrl } = deployment;
  if (environment !== 'sandbox') return text;
  return text
    .replaceAll(`${EXAMPLE_ORIGIN}/oauth2/token`, publicAuthUrl)
    .replaceAll(`${EXAMPLE_ORIGIN}/v1`, publicApiUrl)
    .replaceAll(EXAMPLE_ORIGIN, new URL(publicApiUrl).origin);
}
