import { html } from 'ghtml';
import { renderField } from '#console/forms/render-field.ts';
import type { SignInKind } from '#console/model/roles.ts';
import type { ConsolePage } from '#console/shell/visit.ts';
import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { type SignInFault, statusOfFault } from './model/sign-in-fault.ts';

const SIGN_IN_TEXTS = pageTexts('console.sign-in');

interface PageOptions {
  readonly language: ConsoleLanguage;
  /** The page that the person wanted. */
  readonly next: string;
  /** The provider's host; null: there is none. */
  readonly host: string | null;
}

export interface WaysPageOptions extends PageOptions {
  readonly fault: SignInFault | null;
  /** How the person had signed in who signed out just now; null: nobody did. */
  readonly signedOut: SignInKind | null;
  /** The provider's own sign-out was asked for, and there is none. */
  readonly lacksSignOut: boolean;
}

/** The ways in: the identity provider, and one-time links. */
export function waysPage(options: WaysPageOptions): ConsolePage {
  const { language, next, host, fault, signedOut, lacksSignOut } = options;
  const { text, rich } = SIGN_IN_TEXTS[language];
  const title = text('title');
  const linkAddress = `/console/sign-in/link?${new URLSearchParams({ next })}`;
  // The page has a single primary act: the provider, or else the link.
  const ways = host
    ? html`<p>${text('byProvider', { host })}</p><p class="actions"><a class="button"
 href="${startAddress(next)}">${text('goToProvider')}</a></p>
<p class="small">!${rich('byLinkToo')} <a href="${linkAddress}">${text('haveLink')}</a></p>`
    : html`<p>!${rich('byLink')}</p><p class="actions"><a class="button" href="${linkAddress}"
>${text('haveLink')}</a></p>`;
  const out =
    host && signedOut === 'OIDC'
      ? html` <a href="/console/sign-in/provider-sign-out">${text('signOutProvider', { host })}</a>`
      : '';
  const notices = [
    signedOut && html`<p class="notice" role="status">${text('signedOut')}!${out}</p>`,
    host && lacksSignOut && notice(text('signedOutProvider', { host })),
    fault && notice(text(`fault.${fault}`)),
  ];
  return {
    title,
    ...(fault && { status: statusOfFault(fault) }),
    body: card(html`<h1>${title}</h1>!${notices.filter(Boolean).join('')}!${ways}`),
  };
}

export interface LinkPageOptions extends PageOptions {
  readonly csrf: string;
  readonly isUsed: boolean;
}

/** A page that is equal for every link: opening a link uses nothing up, and tells nothing. */
export function linkPage(options: LinkPageOptions): ConsolePage {
  const { language, isUsed } = options;
  const { text } = SIGN_IN_TEXTS[language];
  const title = text('linkTitle');
  return {
    title,
    scripts: ['console-link'],
    ...(isUsed && { status: 403 }),
    body: card(html`<h1>${title}</h1>!${isUsed ? notice(text('linkUsed')) : ''}
<p data-pasted>${text('linkPaste')}</p><p data-opened hidden>${text('linkOpened')}</p>
!${linkForm(options)}`),
  };
}

export interface AgainPageOptions extends PageOptions {
  readonly kind: SignInKind;
  readonly csrf: string;
}

/** A fresh sign-in before money and secrets. */
export function againPage(options: AgainPageOptions): ConsolePage {
  const { language, next, host, kind } = options;
  const { text } = SIGN_IN_TEXTS[language];
  const title = text('againTitle');
  const way =
    kind === 'OIDC' && host
      ? html`<p class="actions"><a class="button" href="${startAddress(next, true)}"
>${text('againProvider', { host })}</a></p>`
      : html`<p>${text('againLink')}</p>!${linkForm(options)}`;
  return { title, body: card(html`<h1>${title}</h1><p>${text('againLead')}</p>!${way}`) };
}

function linkForm({ language, next, csrf }: PageOptions & { readonly csrf: string }): string {
  const { text } = SIGN_IN_TEXTS[language];
  const input = renderField({
    name: 'link',
    label: text('linkField'),
    hint: text('linkHint'),
    kind: 'secret',
    isRequired: true,
  });
  return html`<form method="post" action="/console/sign-in/link">
<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="next" value="${next}">
<div data-pasted>!${input}</div>
<p class="actions"><button class="button">${text('signIn')}</button></p></form>`;
}

/** A link, not a form: the policy of our pages lets no form lead to another origin. */
function startAddress(next: string, isFresh = false): string {
  const query = new URLSearchParams({ next, ...(isFresh && { fresh: 'yes' }) });
  return `/console/sign-in/start?${query}`;
}

function card(body: string): string {
  return `<div class="card gate">${body}</div>`;
}

function notice(text: string): string {
  return html`<p class="notice bad" role="alert">${text}</p>`;
}
