import { html } from 'ghtml';
import { codeBlock } from '#http/pages/code-block.ts';
import { groupedMenu } from '#http/pages/developer-page.ts';
import type { Page } from '#http/pages/page.ts';
import type { ReferenceDocument } from '../document-types.ts';
import { guideGroups } from '../guides/guide-page.ts';
import type { Entry } from '../list-entries.ts';
import { renderMarkdown } from '../markdown/render-markdown.ts';
import { curlSample } from './call-example.ts';
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

/** From nothing to a released order. */
function stepsOf({ document, entries }: Overview): string {
  const call = (id: string) => {
    const entry = entries.find((each) => each.id === id);
    return entry
      ? codeBlock(curlSample(document, entry), 'bash', `${entry.method} ${entry.path}`)
      : '';
  };
  const steps = [
    [
      '<a href="/docs/createAccessToken">Get an access token</a>',
      'With your username and password, for an hour. Keep it as <code>TOKEN</code>.',
      call('createAccessToken'),
    ],
    [
      '<a href="/docs/createPaymentRequest">Create a payment request</a>',
      'Open its <code>paymentLink</code> for the payer.',
      call('createPaymentRequest'),
    ],
    [
      '<a href="/docs/guides/receive-webhooks">Receive the webhook</a>',
      'Verify it, store it, answer 2xx, then work.',
      codeBlock(VERIFYING, 'js', 'Your listener'),
    ],
  ];
  const items = steps.map(
    ([title, text, code]) => html`<li><h2>!${title}</h2><p>!${text}</p>!${code}</li>`,
  );
  return html`<ol class="start">!${items.join('\n')}</ol>`;
}

function addressesOf({ isSandbox, publicApiUrl, publicAuthUrl }: Overview): string {
  const lines = `BASE_URL=${publicApiUrl}\nAUTH_URL=${publicAuthUrl}`;
  const title = isSandbox ? 'Sandbox: no money moves' : 'Production';
  return codeBlock(lines, 'bash', title);
}

function credentials({ isSandbox }: Overview): string {
  const prefix = isSandbox ? 'sbx_' : 'prd_';
  return html`<p>The operator of this service registers you as a merchant, with
<code>payreq merchant create</code>, and gives you once:</p>
<ul>
<li>a <strong>username</strong> and a <strong>password</strong> for the
<a href="/docs/createAccessToken">token call</a>;</li>
<li>an <strong>API key</strong> for every other call;</li>
<li>a <strong>listener username, password and signing secret</strong>, with which your listener
verifies <a href="/docs/paymentCompleted">webhooks</a>.</li>
</ul>
<p>They work in one environment only; here the username begins with <code>${prefix}</code>. Ask the
operator for new ones when they are lost or seen by others. A service that <code>npm start</code>
runs on your machine has its credentials in <code>.local/credentials.json</code>.</p>`;
}

function tools({ guides, document, isSandbox }: Overview): string {
  const origin = document.servers[0]?.url ?? '';
  const trial = '<li><a href="/docs/try">Try calls</a>: send them from your browser.</li>';
  return html`<ul>
<li><strong>README</strong>: the first payment with curl, in the project’s <code>README.md</code>,
with <code>docs/guides/</code> beside it.</li>
<li><strong>SDK</strong> for JavaScript and TypeScript, with webhook verification:
<code>npm i ${origin}/sdk.tgz</code>.</li>
<li><a href="/checkout.js"><code>checkout.js</code></a> opens the payment window from your checkout
page.</li>
<li><a href="/openapi.json"><code>openapi.json</code></a>: this reference as OpenAPI 3.1, for client
generators.</li>
<li><a href="/problems">Problems</a>: what each refusal means, and what to do.</li>
!${isSandbox ? trial : ''}
</ul>
<div class="groups guides">!${guideGroups(guides)
    .map((each) => html`<div>!${groupedMenu([each])}</div>`)
    .join('')}</div>`;
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
