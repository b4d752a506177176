import type { FastifySchema } from 'fastify';
import { SCOPES, type Scope } from '#merchants/scopes.ts';

const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  'payment_request/all': 'everything',
  'payment_request/read': 'read payment requests',
  'payment_request/write': 'create and change payment requests',
  'refund/write': 'give money back',
  'report/read': 'read the ledger and its reports',
  'webhook/manage': 'manage webhook endpoints',
  'event/read': 'read the event feed',
};

/** The authorisation of calls (interface §5). */
export function securitySchemes(publicAuthUrl: string): object {
  return {
    accessToken: {
      type: 'oauth2',
      description:
        'A token of one hour, sent as Authorization: Bearer. Your username is the client ID, ' +
        'your password the client secret.',
      flows: {
        clientCredentials: {
          tokenUrl: publicAuthUrl,
          scopes: Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_MEANINGS[scope]])),
        },
      },
    },
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'x-api-key',
      description: 'Your API key; needed beside the access token.',
    },
    clientCredentials: {
      type: 'http',
      scheme: 'basic',
      description: 'Your username and password, for the token call only.',
    },
    listenerCredentials: {
      type: 'http',
      scheme: 'basic',
      description: 'The username and password that your webhook listener asks for.',
    },
  };
}

/** The alternative authorisations of one call; empty for a public call. */
export function securityOf({ scopes, isBasic }: FastifySchema): object[] {
  if (isBasic) return [{ clientCredentials: [] }, {}];
  return (scopes ?? []).map((scope) => ({ accessToken: [scope], apiKey: [] }));
}
