import { html } from 'ghtml';

/** The part of highlight.js that is used here. */
interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  getLanguage(name: string): object | undefined;
  configure(options: { readonly classPrefix: string }): void;
  highlight(code: string, options: { readonly language: string }): { readonly value: string };
}

/** By a made name: the package's own types would bring those of browsers to all code. */
const load = async (part: string) => (await import(`highlight.js/lib/${part}`)).default;
const highlighter: Highlighter = await load('core');
/** Those of the guides and of the reference. */
const LANGUAGES = 'bash csharp go java javascript json php python ruby sql typescript xml'.split(
  ' ',
);
for (const name of LANGUAGES) {
  highlighter.registerLanguage(name, await load(`languages/${name}`));
}
highlighter.configure({ classPrefix: 'c-' });

/** They have no colour: without their marks a page is a third shorter. */
const PLAIN = /<span class="c-punctuation">([^<]*)<\/span>/g;
/** Places for a merchant's own values, as the guides and examples write them. */
const OWN = [
  [/\$API_USERNAME|(?<=API_USERNAME=)sbx_…/g, 'username'],
  [/(?<=API_KEY=)sbx_…/g, 'apiKey'],
] as const;

/**
 * Code with its colours, as HTML. Load this module only when a reader comes: it takes 50 ms.
 *
 * @param language a name or short name, such as `js`; for any other the code has no colours
 */
export function colouredCode(code: string, language: string): string {
  if (!highlighter.getLanguage(language)) return html`${code}`;
  return highlighter.highlight(code, { language }).value.replace(PLAIN, '$1');
}

/** The captions of blocks without a name of their own. */
const NAMES: Readonly<Record<string, string>> = { bash: 'Shell', sh: 'Shell', json: 'JSON' };

/** A block of code; a keyboard reaches what scrolls. A script adds the button that copies. */
export function codeBlock(code: string, language: string, title = ''): string {
  const marked = OWN.reduce(
    (text, [place, name]) => text.replace(place, `<span data-own="${name}">$&</span>`),
    colouredCode(code, language),
  );
  const caption = title || NAMES[language];
  const heading = caption ? html`<p>${caption}</p>` : '';
  return html`<div class="code">!${heading}<pre tabindex="0"><code>!${marked}</code></pre></div>`;
}

/** A value as JSON, with two spaces for each level; a text stays as it is. */
export function valueBlock(value: unknown): string {
  if (typeof value === 'string') return codeBlock(value, '');
  return codeBlock(JSON.stringify(value, null, 2), 'json');
}
