const MARKUP = Symbol('markup');

/** Markup with escaped values; only `html` makes it. */
export interface Html {
  readonly [MARKUP]: string;
}

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Makes markup from a template; escapes every value except markup of `html`. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return { [MARKUP]: String.raw({ raw: parts }, ...values.map(markupOf)) };
}

export function markupOf(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'object') {
    return MARKUP in value ? value[MARKUP] : (value as readonly HtmlValue[]).map(markupOf).join('');
  }
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
