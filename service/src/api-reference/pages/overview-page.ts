import { html } from 'ghtml';
import { codeBlock } from '#http/pages/code-block.ts';
import { groupedMenu } from '#http/pages/developer-page.ts';
import type { Page } from '#http/pages/page.ts';
import { describeCall } from '../call-examples/describe-call.ts';
import { renderCurl } from '../call-examples/languages.ts';
import type { ReferenceDocument } from '../document-types.ts';
import { linkTo } from '../guides/guide-page.ts';
import type { Entry } from '../list-entries.ts';
import { renderMarkdown } from '../markdown/render-markdown.ts';
import { groupsOf, type Overview, referencePage } from './layout.ts';
import { callToFind, listOf } from './search-page.ts';

/** The first page of the reference: the first payment, what a developer needs, and all calls. */
export function overviewPage(overview: Overview): Page {
  const { document, entries, isSandbox } = overview;
  const { title, summary, description } = document.info;
  const rules = renderMarkdown(description, { addressOf: (href) => href, lowerBy: 1 });
  return referencePage({
    title,
    isSandbox,
    entries,
    text: html`<h1>${title}</h1>
<p class="lead">${summary}</p>
!${stepsOf(overview)}
<section id="credentials"><h2>Where your credentials come from</h2>
!${addressesOf(overview)}
!${credentials(overview)}</section>
<section id="tools"><h2>Guides, SDK and tools</h2>!${tools(overview)}</section>
<section id="calls"><h2>Calls</h2><div class="groups">!${callsOf(document, entries)}</div></section>
<section id="rules"><h2>How it works</h2>!${rules}</section>`,
  });
}

const VERIFYING = `import { verifyWebhook } from '@payment-requests/sdk';

const event = await verifyWebhook({ headers, body }, credentials);
await store(event); // event.id is unique: a repeat stores nothing
answer(204); // then release the order on PAID`;

/** Three steps to a released order. */
function stepsOf(overview: Overview): string {
  const call = (id: string) =>
    overview.entries
      .filter((each) => each.id === id)
      .map((each) => {
        const code = renderCurl(describeCall(overview, each));
        return codeBlock(code, 'bash', `${each.method} ${each.path}`);
      })
      .join('');
  return html`<ol class="start">
<li><h2><a href="/docs/createAccessToken">Get an access token</a></h2>
<p>With your username and password, for an hour. Keep it as <code>TOKEN</code>.</p>
!${call('createAccessToken')}</li>
<li><h2><a href="/docs/createPaymentRequest">Create a payment request</a></h2>
<p>Open its <code>paymentLink</code> for the payer. In the sandbox, the name
<code>depositSubmit</code> pays it after 10 seconds.</p>!${call('createPaymentRequest')}</li>
<li><h2><a href="/docs/guides/receive-webhooks">Receive the webhook</a></h2>
<p>Verify it, store it, answer 2xx, then work.</p>
!${codeBlock(VERIFYING, 'js', 'Your listener')}</li></ol>`;
}

function addressesOf({ isSandbox, publicApiUrl, publicAuthUrl }: Overview): string {
  const lines = `BASE_URL=${publicApiUrl}\nAUTH_URL=${publicAuthUrl}`;
  const title = isSandbox ? 'Sandbox: no money moves' : 'Production';
  return codeBlock(lines, 'bash', title);
}

function credentials({ isSandbox }: Overview): string {
  return html`<p>The operator registers you, with <code>payreq merchant create</code>, and gives you
once:</p><ul><li>a <strong>username</strong> and a <strong>password</strong> for the
<a href="/docs/createAccessToken">token call</a>;</li>
<li>an <strong>API key</strong> for every other call;</li>
<li>a <strong>listener username, password and signing secret</strong>, with which your
listener verifies <a href="/docs/paymentCompleted">webhooks</a>.</li></ul>
<p>They work in one environment only; here the username begins with <code>${
    isSandbox ? 'sbx_' : 'prd_'
  }</code>. Ask for new ones when they are lost or seen by others. A service that
<code>npm start</code> runs has them in <code>.local/credentials.json</code>.</p>`;
}

function tools({ guides, document }: Overview): string {
  return html`<ul><li><strong>SDK</strong> for JavaScript and TypeScript, with webhook verification:
<code>npm i ${document.servers[0]?.url ?? ''}/sdk.tgz</code>.</li>
<li><a href="/docs/guides/other-languages#python">A client for Python</a>, by the SDK’s rules.</li>
<li><a href="/checkout.js"><code>checkout.js</code></a> opens the payment window from your checkout
page.</li>
<li><a href="/openapi.json"><code>openapi.json</code></a>: this reference as OpenAPI 3.1, for client
generators.</li>
<li><a href="/llms.txt"><code>llms.txt</code></a>: the documentation for editors and
assistants. Each page is Markdown, too, at its address with <code>.md</code>; <a
href="/changelog.atom">a feed</a> has what each version changes.</li></ul>
<div class="guides">!${groupedMenu(guides.map(linkTo))}</div>`;
}

function callsOf({ tags }: ReferenceDocument, entries: readonly Entry[]): string {
  return groupsOf(entries)
    .map(([name, members]) => {
      const description = tags.find((tag) => tag.name === name)?.description ?? '';
      const anchor = `tag/${name.toLowerCase().replaceAll(' ', '-')}`;
      return html`<div><h3 id="${anchor}">${name}</h3><p>${description}</p>
!${listOf(members.map(callToFind))}</div>`;
    })
    .join('\n');
}
