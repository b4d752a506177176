import { html } from 'ghtml';
import type { Page } from '#http/pages/page.ts';
import type { Institution } from '../institutions.ts';
import { TEST_PASSWORD, TEST_USERS } from '../test-users.ts';
import {
  askedBill,
  errorLine,
  form,
  type GatewayPageOptions,
  gatewayPage,
} from './gateway-pages.ts';
import { gatewayTexts } from './gateway-style.ts';

export interface SignInPageOptions extends GatewayPageOptions {
  readonly institution: Institution;
  /** Tries that are left, after one that failed; null before any. */
  readonly triesLeft: number | null;
  /** The username of the try that failed. */
  readonly username: string | null;
}

/** The institution's own sign-in, with its test users in a box (journey §1). */
export function signInPage(options: SignInPageOptions): Page {
  const { language, institution, token, triesLeft, username, path } = options;
  const { text } = gatewayTexts[language];
  const title = text('sign-in.title', { institution: institution.name });
  const hasFailed = triesLeft !== null;
  const message = hasFailed ? text('sign-in.failed', { left: triesLeft }) : null;
  const invalid = hasFailed ? 'aria-invalid="true" aria-describedby="error"' : '';
  const typed = hasFailed && username ? html`value="${username}"` : '';
  return gatewayPage(options, title, {
    institution,
    hasError: hasFailed,
    ...(hasFailed && { query: 'failed=1' }),
    body: html`<h1>${title}</h1>
!${askedBill(options, [])}
!${errorLine(message)}
!${form(
      token,
      html`<p class="field"><label for="username">${text('sign-in.username')}</label>
<input id="username" name="username" type="text" maxlength="64" autocomplete="username"
 autocapitalize="none" spellcheck="false" required !${typed} !${invalid}></p>
<p class="field"><label for="password">${text('sign-in.password')}</label>
<input id="password" name="password" type="password" maxlength="64"
 autocomplete="current-password" required !${invalid}></p>
<p class="actions"><button class="button">${text('sign-in.submit')}</button>
<a class="button bare" href="${path}/choose">${text('sign-in.back')}</a></p>`,
    )}
!${simulationBox(options)}`,
  });
}

/** A button for each test user, so that nobody has to type. */
function simulationBox({ language, token }: SignInPageOptions): string {
  const { text, rich } = gatewayTexts[language];
  const users = TEST_USERS.map(
    ({ username }) => html`<li><button class="button quiet" name="username" value="${username}"
 aria-label="${text('simulation.use', { username })}">${username}</button>
<span>${text(`simulation.${username}`)}</span></li>`,
  );
  return html`<details class="simulation"><summary>${text('simulation.title')}</summary>
<p>!${rich('simulation.text', { password: TEST_PASSWORD })}</p>
!${form(
    token,
    html`<input type="hidden" name="password" value="${TEST_PASSWORD}">
<ul>!${users.join('\n')}</ul>`,
  )}</details>`;
}
