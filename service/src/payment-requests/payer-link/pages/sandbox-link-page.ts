import { html } from 'ghtml';
import type { Language } from '#http/negotiation/choose-language.ts';
import type { Page } from '#http/pages/page.ts';
import { statusIcon } from '#http/pages/status-icons.ts';
import { pageTexts } from '#http/pages/texts.ts';

const texts = pageTexts('payer.sandbox-link');

/** The values that an integrator can try, each with its effect (contract §8). */
const SIMULATIONS = [
  ['depositSubmit', 'sandbox.depositSubmit'],
  ['depositSubmit:30', 'sandbox.depositSubmitAfter'],
  ['depositDecline', 'sandbox.depositDecline'],
  ['depositFail:INSUFFICIENT_FUNDS', 'sandbox.depositFail'],
  ['depositProcessing', 'sandbox.depositProcessing'],
  ['depositExpire', 'sandbox.depositExpire'],
  ['depositLate', 'sandbox.depositLate'],
] as const;

/**
 * The gateway's error page of a sandbox link, the same for every short code, known or not: it
 * tells nothing about a payment request (interface §7).
 */
export function sandboxLinkPage(language: Language): Page {
  const { text, rich } = texts[language];
  const simulations = SIMULATIONS.map(
    ([name, effect]) => html`<dt><code>!${breakable(name)}</code></dt><dd>${text(effect)}</dd>`,
  );
  return {
    language,
    title: text('sandbox.title'),
    notice: text('sandbox.notice'),
    body: html`<div class="small-page">!${statusIcon('neutral')}<h1>${text('sandbox.title')}</h1>
<p class="lead">${text('sandbox.lead')}</p>
<section><h2>${text('sandbox.payerHeading')}</h2>
<p>${text('sandbox.payerText')}</p></section>
<section><details><summary><h2>${text('sandbox.integratorHeading')}</h2></summary>
<p>!${rich('sandbox.integratorText')}</p>
<dl>!${simulations.join('\n')}</dl>
<p>${text('sandbox.integratorEnd')}</p></details></section></div>`,
  };
}

/** A name that may be broken after a colon or an underscore, where the screen is narrow. */
function breakable(name: string): string {
  return html`${name}`.replace(/[:_]/g, '$&<wbr>');
}
