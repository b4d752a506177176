import { renderMarkdown } from '../markdown/render-markdown.ts';

/** A guide as the service serves it. */
export interface Guide {
  /** Without `.md`; empty for the index. */
  readonly name: string;
  readonly title: string;
  /** HTML without the heading of the first level. */
  readonly body: string;
  /** The whole guide as Markdown, with links as the service serves them. */
  readonly markdown: string;
  /** The heading of the index under which it stands; empty: none. */
  readonly group?: string;
}

const INDEX = 'README.md';
/** A link to another file, and the address of a page that has a form as Markdown. */
const LINK = /\]\(([^()\s]+\.(?:md|json)(?:#[^()\s]*)?)\)/g;
const PAGE = /^(\/docs\/guides[^#.]*)(#|$)/;

/**
 * Renders a guide of docs/guides.
 *
 * @param served the files that are served beside it; a link to any other file becomes plain text
 */
export function renderGuide(file: string, markdown: string, served: ReadonlySet<string>): Guide {
  const [, title = file] = /^# (.+)$/m.exec(markdown) ?? [];
  const body = renderMarkdown(markdown.replace(/^# .+\n/, ''), {
    addressOf: (href) => addressOf(href, served),
  });
  const own = markdown.replace(LINK, (link, href) => {
    const address = addressOf(href, served);
    return address === null ? link : `](${address.replace(PAGE, '$1.md$2')})`;
  });
  return { name: guideNameOf(file), title, body, markdown: own };
}

/** The name of a guide in its address. */
export function guideNameOf(file: string): string {
  return file === INDEX ? '' : file.replace(/\.md$/, '');
}

/** The address of a guide's link on a running service; null for a file that is not served. */
function addressOf(href: string, served: ReadonlySet<string>): string | null {
  if (/^(?:https:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const file = path.replace(/^\.\.\//, '');
  if (!served.has(file)) return null;
  const at = ['/docs/guides', guideNameOf(file)].filter(Boolean).join('/');
  return anchor === undefined ? at : `${at}#${anchor}`;
}
