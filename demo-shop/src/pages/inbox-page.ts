import { html } from '../http/html.ts';
import type { ReceivedMail } from '../inbox/local-inbox.ts';
import { type Language, LOCALES } from '../language.ts';
import { TEXTS } from '../texts.ts';
import { headed, type ShopPage } from './shop-page.ts';

/** For the staff: the mails that `npm start` has caught, newest first. */
export function inboxPage(language: Language, mails: readonly ReceivedMail[]): ShopPage {
  const t = TEXTS[language].inbox;
  return {
    title: t.title,
    path: '/staff/inbox',
    body: html`<div class="card narrow">${headed(t.title)}<p>${t.lead}</p>
${mails.length === 0 && html`<p>${t.none}</p>`}
<ul class="orders mails">${mails.map(
      (mail) => html`<li><a href="/staff/mail?mail=${mail.number}">${mail.subject}</a>
<span class="kind">${t.to} ${mail.to}</span>
<span class="kind">${timeOf(mail, language)}</span></li>`,
    )}</ul>
<p><a href="/staff">${t.toTheOrders}</a></p></div>`,
  };
}

/** A mail as its recipient sees it, as text, and with its headers. */
export function mailPage(language: Language, mail: ReceivedMail): ShopPage {
  const t = TEXTS[language].inbox;
  const { number, subject, from, to, text, headers } = mail;
  return {
    title: subject,
    path: '/staff/inbox',
    body: html`<div class="card">${headed(subject)}
<dl class="mail-head"><div><dt>${t.from}</dt><dd>${from}</dd></div>
<div><dt>${t.to}</dt><dd>${to}</dd></div>
<div><dt>${t.received}</dt><dd>${timeOf(mail, language)}</dd></div></dl>
${
  mail.html !== null &&
  html`<iframe class="mail" title="${t.asHtml}" src="/staff/mail/html?mail=${number}"
 sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`
}
<h2>${t.asText}</h2><pre tabindex="0">${text}</pre>
<details><summary>${t.headers}</summary><pre tabindex="0">${headers.join('\n')}</pre></details>
<p><a href="/staff/inbox">${t.toTheInbox}</a></p></div>`,
  };
}

function timeOf({ receivedAt }: ReceivedMail, language: Language) {
  const time = new Intl.DateTimeFormat(LOCALES[language], {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'UTC',
  });
  return html`<time datetime="${receivedAt.toISOString()}">${time.format(receivedAt)} UTC</time>`;
}
