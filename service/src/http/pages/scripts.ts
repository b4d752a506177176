import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

/** Scripts that pages may have: plain ES modules, sent as they lie in service/browser/. */
const NAMES = [
  'live-page',
  'close-window',
  'copy-fields',
  'institution-choice',
  'shown-times',
] as const;
export type PageScript = (typeof NAMES)[number];

/** The address holds a hash of the contents, so that it never changes what it answers. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const scripts = new Map(NAMES.map((name) => [name, load(name)]));

function load(name: PageScript): { readonly path: string; readonly source: string } {
  const source = readFileSync(new URL(`../../../browser/${name}.js`, import.meta.url), 'utf8');
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 16);
  return { path: `/page-scripts/${name}-${hash}.js`, source };
}

/** The tag that loads a script when the page is there. */
export function pageScriptTag(name: PageScript): string {
  return `<script type="module" src="${scripts.get(name)?.path}"></script>`;
}

/** Serves the scripts of all pages, from this origin alone. */
export function registerPageScripts(app: FastifyInstance): void {
  for (const { path, source } of scripts.values()) {
    app.get(path, { schema: { hide: true } }, (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').header('cache-control', FOR_EVER).send(source),
    );
  }
}
