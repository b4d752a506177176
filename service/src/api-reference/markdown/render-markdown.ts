import { html } from 'ghtml';
import { lexer, type Token, type Tokens } from 'marked';
import { codeBlock } from '#http/pages/code-block.ts';
import { codeTabs, type Panel } from '#http/pages/code-tabs.ts';

export interface MarkdownOptions {
  /** The address of a link as a page has it; null: the text stands without a link. */
  readonly addressOf: (href: string) => string | null;
  /** How many levels lower the headings stand in their page; left out: none. */
  readonly lowerBy?: number;
}

const LOWEST_HEADING = 6;

/** The sections behind this comment, each a heading with text and one block of code, are tabs. */
const TABS = /^<!-- tabs: (.+) -->\n*$/;

/** Renders our own Markdown as HTML. HTML within it is shown as text. */
export function renderMarkdown(text: string, options: MarkdownOptions): string {
  // The lexer leaves tabs in code: browsers would show each as eight spaces.
  return blocksOf(lexer(text.replaceAll('\t', '    ')), options);
}

/** The anchor of a heading, as code hosts make it: links between guides name it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

function blocksOf(tokens: readonly Token[], options: MarkdownOptions): string {
  const blocks: string[] = [];
  const left = tokens.filter(({ type }) => type !== 'space' && type !== 'checkbox');
  for (let token = left.shift(); token; token = left.shift()) {
    const [, legend] = (token.type === 'html' && TABS.exec(token.raw)) || [];
    if (legend === undefined) blocks.push(blockOf(token, options));
    else blocks.push(codeTabs(anchorOf(legend), legend, takePanels(left, options)));
  }
  return blocks.join('\n');
}

/** Takes the sections of tabs from the beginning of the tokens. */
function takePanels(left: Token[], options: MarkdownOptions): Panel[] {
  const panels: Panel[] = [];
  for (;;) {
    const length = left.findIndex(({ type }) => type === 'code') + 1;
    const [heading, ...text] = left.slice(0, length);
    if (heading?.type !== 'heading' || text.some(({ type }) => type === 'heading')) return panels;
    left.splice(0, length);
    const { text: label } = heading as Tokens.Heading;
    panels.push({ label, anchor: anchorOf(label), body: blocksOf(text, options) });
  }
}

function blockOf(token: Token, options: MarkdownOptions): string {
  switch (token.type) {
    case 'heading':
      return headingOf(token as Tokens.Heading, options);
    case 'paragraph':
      return html`<p>!${inlineOf((token as Tokens.Paragraph).tokens, options)}</p>`;
    case 'text':
      return inlineOf((token as Tokens.Text).tokens ?? [token], options);
    case 'code': {
      const { lang = '', text } = token as Tokens.Code;
      const [language = '', file = ''] = lang.split(' name=');
      // A diagram needs a script; the text says the same.
      if (language === 'mermaid') return '';
      // Commands are typed: the names of their blocks are for tests.
      return codeBlock(text, language, language === 'sh' ? '' : file);
    }
    case 'list':
      return listOf(token as Tokens.List, options);
    case 'table':
      return tableOf(token as Tokens.Table, options);
    case 'blockquote':
      return html`<blockquote>!${blocksOf(token.tokens ?? [], options)}</blockquote>`;
    case 'hr':
      return '<hr>';
    default:
      return html`<p>${token.raw}</p>`;
  }
}

function headingOf({ depth, text, tokens }: Tokens.Heading, options: MarkdownOptions): string {
  const level = Math.min(depth + (options.lowerBy ?? 0), LOWEST_HEADING);
  const anchor = anchorOf(text);
  return html`<h${level} id="${anchor}">!${inlineOf(tokens, options)}</h${level}>`;
}

function listOf({ ordered, items }: Tokens.List, options: MarkdownOptions): string {
  const tag = ordered ? 'ol' : 'ul';
  const lines = items.map(({ task, tokens }) => {
    const text = blocksOf(tokens, options);
    // A script keeps what was ticked.
    return task
      ? html`<li class="task"><label><input type="checkbox"><span>!${text}</span></label></li>`
      : html`<li>!${text}</li>`;
  });
  return `<${tag}>${lines.join('\n')}</${tag}>`;
}

function tableOf({ header, rows }: Tokens.Table, options: MarkdownOptions): string {
  const cell = (tag: string) => (one: Tokens.TableCell) =>
    `<${tag}>${inlineOf(one.tokens, options)}</${tag}>`;
  const body = rows.map((row) => `<tr>${row.map(cell('td')).join('')}</tr>`).join('\n');
  return `<div class="scroll" tabindex="0"><table>
<thead><tr>${header.map(cell('th')).join('')}</tr></thead>
<tbody>${body}</tbody></table></div>`;
}

function inlineOf(tokens: readonly Token[] = [], options: MarkdownOptions): string {
  return tokens.map((token) => partOf(token, options)).join('');
}

/** The path of a page for developers, which a text names as code. */
const OWN_PAGE = /^\/(?:docs|problems|llms\.txt)$/;

/** A name that stands on one line of a phone: it does not break at its hyphens. */
const SHORT_NAME = /^(?=.{1,24}$)\w+(?:-\w+)+$/;

/** Reads a leaf from its source: the text of a token is escaped in some cases only. */
function partOf(token: Token, options: MarkdownOptions): string {
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return `<${token.type}>${inlineOf(token.tokens, options)}</${token.type}>`;
    case 'codespan': {
      const text = token.raw.replace(/^`+ ?| ?`+$/g, '');
      const code = html`<code!${SHORT_NAME.test(text) ? ' class="whole"' : ''}>${text}</code>`;
      return OWN_PAGE.test(text) ? html`<a href="${text}">!${code}</a>` : code;
    }
    case 'br':
      return '<br>';
    case 'escape':
      return html`${token.raw.slice(1)}`;
    case 'link': {
      const text = inlineOf(token.tokens, options);
      const address = options.addressOf((token as Tokens.Link).href);
      return address === null ? text : html`<a href="${address}">!${text}</a>`;
    }
    case 'text': {
      const { tokens, raw } = token as Tokens.Text;
      return tokens ? inlineOf(tokens, options) : html`${raw}`;
    }
    default:
      return html`${token.raw}`;
  }
}
