import { type Html, html } from '../http/html.ts';
import type { Language } from '../language.ts';
import { type Order, orderPathOf, orderStateOf } from '../order.ts';
import type { Notification } from '../order-store.ts';
import { fill, TEXTS } from '../texts.ts';
import { headed, type ShopPage } from './shop-page.ts';

export interface OrderData {
  readonly order: Order;
  readonly notifications: readonly Notification[];
  /** Whether this browser placed the order; only its customer reads why an account was refused. */
  readonly isOwn: boolean;
}

/** For developers: the shop's data about an order and their sources. No person's data. */
export function developerPage(language: Language, options: OrderData): ShopPage {
  const { order, notifications, isOwn } = options;
  const t = TEXTS[language].developers;
  const { payment, releasedAt } = order;
  const fact = (name: string, value: string | null | undefined, otherwise: string) =>
    html`<div><dt>${name}</dt><dd>${value ? html`<code>${value}</code>` : otherwise}</dd></div>`;
  return {
    title: fill(t.title, { number: order.number }),
    path: `${orderPathOf(order.id)}/webhooks`,
    body: html`<div class="card narrow facts">${headed(fill(t.title, { number: order.number }))}
<p>${t.lead}</p>
<dl>${fact(t.payment, payment?.id, t.none)}
${fact(t.status, payment?.status, t.none)}
${isOwn && payment?.reasonCode && fact(t.reason, payment.reasonCode, t.none)}
${fact(t.released, releasedAt, t.notYet)}
${fact(t.state, orderStateOf(order), t.none)}</dl>
<h2>${t.webhooks}</h2>
${notifications.length === 0 && html`<p>${t.noWebhooks}</p>`}
<ul>${notifications.map((notification) => webhook(notification, language))}</ul>
<p><a href="${orderPathOf(order.id)}">${t.toTheOrder}</a></p></div>`,
  };
}

function webhook(notification: Notification, language: Language): Html {
  const { eventType, status, outcome, firstReceivedAt, timesReceived: times } = notification;
  const { outcomes, repeats } = TEXTS[language].developers;
  return html`<li><code>${firstReceivedAt}</code> <code>${eventType}</code> <code>${status}</code>:
${outcomes[outcome]}${times > 1 && html`; ${fill(repeats, { times })}`}</li>`;
}
