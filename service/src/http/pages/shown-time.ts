import { html } from 'ghtml';
import type { Language } from '#http/negotiation/choose-language.ts';
import { localizedInstant } from '#http/negotiation/localized-values.ts';
import type { Html } from './texts.ts';

/**
 * An instant in the deployment's time zone. The page script `shown-times` writes it in the zone of
 * the payer's browser.
 */
export function shownTime(language: Language, at: Date, timeZone: string): Html {
  const text = localizedInstant(language, at, timeZone);
  return { html: html`<time datetime="${at.toISOString()}">${text}</time>` };
}
