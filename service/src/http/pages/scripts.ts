import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { cellMark } from '#lib/cells/cell-mark.ts';

/** Scripts that pages may have: plain ES modules, sent as they lie in service/browser/. */
const NAMES = [
  'live-page',
  'close-window',
  'console-forms',
  'console-list',
  'console-live',
  'console-palette',
  'console-print',
  'console-countdown',
  'console-refresh',
  'console-templates',
  'copy-fields',
  'institution-choice',
  'shown-times',
  'console-link',
  'docs',
  'code-tabs',
  'try-calls',
] as const;
export type PageScript = (typeof NAMES)[number];

/** The address holds a hash of the contents, so that it never changes what it answers. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const scripts = new Map(NAMES.map((name) => [name, load(name)]));

function load(name: PageScript): { readonly file: string; readonly source: string } {
  const source = readFileSync(new URL(`../../../browser/${name}.js`, import.meta.url), 'utf8');
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 16);
  return { file: `${name}-${hash}.js`, source };
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The mark of this cell; absent: the listener has no pages with scripts. */
    cellMark?: string;
  }
}

/**
 * The tag that loads a script when the page is there. The mark leads to the cell of the page: other
 * cells may run another version.
 */
export function pageScriptTag(name: PageScript, mark: string): string {
  return `<script type="module" src="${pathOf(mark, scripts.get(name)?.file)}"></script>`;
}

function pathOf(mark: string, file: string | undefined): string {
  return `/page-scripts/${mark}${file}`;
}

/** Serves the scripts of all pages, from this origin alone. */
export function registerPageScripts(
  app: FastifyInstance,
  { cell }: { readonly cell: number },
): void {
  const mark = cellMark(cell);
  app.decorate('cellMark', mark);
  for (const { file, source } of scripts.values()) {
    app.get(pathOf(mark, file), { schema: { hide: true } }, (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').header('cache-control', FOR_EVER).send(source),
    );
  }
}
