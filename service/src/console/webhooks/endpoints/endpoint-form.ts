import { html } from 'ghtml';
import { formOf } from '#console/forms/form-field.ts';
import type { ShownForm } from '#console/forms/render-field.ts';
import { button, formPage } from '#console/forms/render-form.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { NewEndpointSchema } from '#webhooks/endpoints/schemas.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { ALL_EVENT_TYPES, EVENT_TYPES } from '#webhooks/model/event-types.ts';
import { merchantHref } from '../paths.ts';

import { ENDPOINT_TEXTS } from './texts.ts';

export const ENDPOINT_FORM_TEXTS = pageTexts('console.webhooks.endpoints.form');

const RULES = NewEndpointSchema.properties;

/** Which events an endpoint wants. */
function typesOf({ eventTypes }: Pick<WebhookEndpoint, 'eventTypes'>) {
  if (eventTypes === null) return 'usual';
  return eventTypes.includes(ALL_EVENT_TYPES) ? 'all' : 'some';
}

/** @param endpoint null: a new one */
export function endpointFields({ language }: Visit, endpoint: WebhookEndpoint | null) {
  const { text } = ENDPOINT_FORM_TEXTS[language];
  const isNew = endpoint === null;
  const types = endpoint ? typesOf(endpoint) : 'usual';
  return formOf(
    {
      legend: text('address'),
      className: 'card',
      fields: [
        {
          name: 'url',
          kind: 'url',
          label: text('url'),
          hint: isNew ? text('urlHint') : `${text('urlHint')} ${text('moveHint')}`,
          value: endpoint?.url ?? 'https://',
          rule: RULES.url,
          isRequired: true,
        },
        {
          name: 'description',
          label: text('description'),
          hint: text('descriptionHint'),
          value: endpoint?.description,
          rule: RULES.description,
        },
      ],
    },
    {
      className: 'card',
      fields: [
        {
          name: 'types',
          kind: 'radio',
          label: text('types'),
          value: types,
          options: [
            ['usual', html`${text('usual')}`],
            ['all', html`${text('all')}`],
            ['some', html`${text('some')}`],
          ],
          inner: [
            {
              name: 'eventTypes',
              kind: 'boxes',
              value: types === 'all' ? EVENT_TYPES : endpoint?.eventTypes,
              options: EVENT_TYPES.map((type) => [type, html`<code>${type}</code>`]),
            },
          ],
        },
      ],
    },
    { legend: text('basic'), className: 'card', fields: credentialFields(language, endpoint) },
  );
}

/** Username and password of the listener; without them new ones are made. */
function credentialFields(language: ConsoleLanguage, endpoint: WebhookEndpoint | null) {
  const { text } = ENDPOINT_FORM_TEXTS[language];
  const isNew = endpoint === null;
  return formOf(
    {
      name: 'username',
      label: text('username'),
      hint: text(isNew ? 'usernameHint' : 'usernameKeep'),
      value: endpoint?.username,
      rule: RULES.username,
    },
    // A password is never sent back.
    {
      name: 'password',
      kind: 'password',
      label: text('password'),
      hint: text(isNew ? 'passwordHint' : 'passwordKeep'),
      rule: RULES.password,
    },
  );
}

/** The form for a new endpoint or for a change; 422 with the faults that it was sent with. */
export function endpointForm(
  visit: Visit,
  endpoint: WebhookEndpoint | null,
  shown: ShownForm = {},
): ConsolePage {
  const { text } = ENDPOINT_FORM_TEXTS[visit.language];
  const [title, save] = endpoint
    ? (['editTitle', 'save'] as const)
    : (['addTitle', 'add'] as const);
  const own = endpoint ? ['endpoints', endpoint.id] : ['endpoints'];
  return formPage(visit, {
    title: text(title),
    back: {
      href: merchantHref(visit, ...own),
      name: endpoint ? text('endpoint') : ENDPOINT_TEXTS[visit.language].text('allEndpoints'),
    },
    refusal: shown.faults && text('faults'),
    ...shown,
    items: endpointFields(visit, endpoint),
    buttons: button(text(save)),
  });
}
