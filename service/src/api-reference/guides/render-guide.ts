import { html } from 'ghtml';
import { Marked } from 'marked';

/** A guide as the service serves it. */
export interface Guide {
  /** Without `.md`; empty for the index. */
  readonly name: string;
  readonly title: string;
  /** HTML without the heading of the first level. */
  readonly body: string;
}

const INDEX = 'README.md';

/**
 * Renders a guide of docs/guides. The source is a file of this project, so the HTML that its
 * Markdown holds is trusted.
 *
 * @param served the files that are served beside it; a link to any other file becomes plain text
 */
export function renderGuide(file: string, markdown: string, served: ReadonlySet<string>): Guide {
  const [, title = file] = /^# (.+)$/m.exec(markdown) ?? [];
  const marked = new Marked();
  marked.use({
    renderer: {
      heading: (text, level, raw) => `<h${level} id="${anchorOf(raw)}">${text}</h${level}>\n`,
      link: (href, _title, text) => {
        const address = addressOf(href, served);
        return address === null ? text : html`<a href="${address}">!${text}</a>`;
      },
      // A wide block scrolls on its own, which a keyboard must be able to do too.
      // Only a viewer of the repository draws the picture; the tables say the same.
      code: (code, language) =>
        language === 'mermaid'
          ? ''
          : html`<pre tabindex="0"><code>${code.replace(/\n$/, '')}</code></pre>\n`,
      table: (head, rows) =>
        `<div class="wide" tabindex="0"><table><thead>${head}</thead>` +
        `<tbody>${rows}</tbody></table></div>\n`,
      checkbox: () => '<span class="box" aria-hidden="true">☐</span> ',
    },
  });
  const body = marked.parse(markdown.replace(/^# .+\n/, ''), { async: false }) as string;
  return { name: guideNameOf(file), title, body };
}

/** The name of a guide in its address. */
export function guideNameOf(file: string): string {
  return file === INDEX ? '' : file.replace(/\.md$/, '');
}

/** The anchor that GitHub makes of a heading, so that links work in both places. */
function anchorOf(heading: string): string {
  const words = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '');
  return words.replaceAll(' ', '-');
}

/** Where a link of a guide leads on a running service; null for a file that is not served. */
function addressOf(href: string, served: ReadonlySet<string>): string | null {
  if (/^(?:https:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const file = path.replace(/^\.\.\//, '');
  if (!served.has(file)) return null;
  const at = ['/docs/guides', guideNameOf(file)].filter(Boolean).join('/');
  return anchor === undefined ? at : `${at}#${anchor}`;
}
