import type { Environment } from '#lib/environment.ts';
import type { FieldFault } from '#lib/problem.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { encryptSecret } from '#lib/secrets/secret-box.ts';
import type { Merchant } from '#merchants/merchant.ts';
import { newListenerUsername, newSecret } from '#merchants/new-secret.ts';
import type { WebhookUrlGuard } from '#webhooks/https/url-guard.ts';
import type { WebhookEndpoint } from '#webhooks/model/endpoint.ts';
import { ALL_EVENT_TYPES, type AskedEventType, EVENT_TYPES } from '#webhooks/model/event-types.ts';

export interface EndpointDeps {
  readonly environment: Environment;
  /** `SECRETS_KEY`, and the key that it replaces. */
  readonly secretsKey: RotatingKey;
  readonly guard: WebhookUrlGuard;
}

/**
 * Validates the URL that an endpoint is asked for (delivery §4). In production its
 * origin is one that the operator registered, as for a `webhookUrl`: a stolen API credential must
 * not send payers' data elsewhere. It waits for name servers: never call it within a transaction.
 *
 * @param currentUrl the endpoint's URL before a change; kept as it is, its origin is not asked for
 * @returns the spelling that is kept, or the fault of the URL; null: no URL can be validated
 */
export async function checkEndpointUrl(
  { guard, environment }: Pick<EndpointDeps, 'guard' | 'environment'>,
  { webhookOrigins }: Pick<Merchant, 'webhookOrigins'>,
  url: unknown,
  currentUrl: string | null = null,
): Promise<{ readonly url: string } | { readonly fault: FieldFault } | null> {
  if (typeof url !== 'string' || url === '') return null;
  if (!url.isWellFormed()) {
    // URL parsing would put a replacement character for half of a surrogate pair.
    const message = 'url has characters that are not text.';
    return { fault: { field: 'url', code: 'INVALID_FORMAT', message } };
  }
  const verdict = await guard.check(url, 'save');
  const invalid = (message: string) => {
    return { fault: { field: 'url', code: 'INVALID_VALUE', message } } as const;
  };
  if (!verdict.allowed) return invalid(verdict.reason);
  const { href, origin } = verdict.url;
  const isOriginAsked = environment === 'production' && href !== currentUrl;
  if (isOriginAsked && !webhookOrigins.includes(origin)) {
    return invalid(`${origin} is not an origin that this merchant registered for webhooks.`);
  }
  return { url: href };
}

/** The database keeps Unicode text: no half of a surrogate pair. The schema refuses the rest. */
export function descriptionFault(description: unknown): FieldFault | null {
  if (typeof description !== 'string' || description.isWellFormed()) return null;
  const message = 'description has characters that are not text.';
  return { field: 'description', code: 'INVALID_FORMAT', message };
}

/** The schema takes the names; `*` beside other types would hide a mistake. */
export function eventTypesFault(eventTypes: unknown): FieldFault | null {
  const isMixed = Array.isArray(eventTypes) && new Set(eventTypes).size > 1;
  if (!isMixed || !eventTypes.includes(ALL_EVENT_TYPES)) return null;
  const message = `Give ${ALL_EVENT_TYPES} alone in eventTypes: it stands for every event type.`;
  return { field: 'eventTypes', code: 'INVALID_VALUE', message };
}

/** Each event type once, in the order of the list; null without a filter. */
export function eventTypesOf(
  asked: readonly AskedEventType[] | null | undefined,
): WebhookEndpoint['eventTypes'] {
  if (!asked) return null;
  if (asked.includes(ALL_EVENT_TYPES)) return [ALL_EVENT_TYPES];
  return EVENT_TYPES.filter((type) => asked.includes(type));
}

/** A username and password of the merchant's, or made where one was not given. */
export function listenerOf(
  { environment }: Pick<EndpointDeps, 'environment'>,
  asked: { readonly username?: string | null; readonly password?: string | null },
) {
  return {
    username: asked.username ?? newListenerUsername(environment),
    password: asked.password ?? newSecret(environment),
  };
}

/** Encrypts an endpoint's secret for its own row. */
export function boxEndpointSecret(
  { secretsKey }: Pick<EndpointDeps, 'secretsKey'>,
  id: string,
  kind: 'listener_password' | 'signing_secret',
  plain: string,
): Buffer {
  return encryptSecret(secretsKey, plain, `endpoint:${id}:${kind}`);
}
