import { readStyle } from '#http/pages/style.ts';

/** Each sheet has its part for the dark behind the first of these. */
const QUERY = '@media';

/** The values of the tokens in a part of their sheet. */
function tokensIn(css: string): [name: string, value: string][] {
  const found = css.matchAll(/(--[\w-]+): ([^;}]+)/g);
  return [...found].map(([, name = '', value = '']) => [name, value.trim()]);
}

function filled(css: string, tokens: ReadonlyMap<string, string>): string {
  return css.replace(/var\((--[\w-]+)\)/g, (whole, name: string) => tokens.get(name) ?? whole);
}

let style: string | null = null;

/**
 * The style of a mail's HTML with the tokens' values: each half of the sheet, light and dark, has
 * those of its scheme. Read with the first mail.
 */
export function messageStyle(): string {
  if (style === null) {
    const [light = '', dark = ''] = readStyle('base/tokens').split(QUERY);
    const [ofLight = '', ofDark = ''] = readStyle('payer/message').split(QUERY);
    const lightTokens = tokensIn(light);
    const darkTokens = new Map([...lightTokens, ...tokensIn(dark)]);
    style = filled(ofLight, new Map(lightTokens)) + QUERY + filled(ofDark, darkTokens);
  }
  return style;
}
