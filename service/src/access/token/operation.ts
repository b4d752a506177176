import type { FastifySchema } from 'fastify';
import examples from './examples.json' with { type: 'json' };
import {
  KeySetSchema,
  ServerMetadataSchema,
  TokenErrorSchema,
  TokenRequestSchema,
  TokenSchema,
} from './schemas.ts';

const TAGS = ['Access'];

const refused = (description: string) => ({
  description,
  content: { 'application/json': TokenErrorSchema },
});

/**
 * The token call (contract §3). Its form is read by hand, because RFC 6749 has its own errors for
 * forms.
 */
export const TOKEN_OPERATION = {
  operationId: 'createAccessToken',
  summary: 'Get an access token',
  description:
    'Exchanges your username and password for a token of one hour, server to server. Send them ' +
    'as Authorization: Basic, or as client_id and client_secret in the form, but not both. Use ' +
    'one token for many calls. Refusals are those of RFC 6749.',
  tags: TAGS,
  isBasic: true,
  hasSecrets: true,
  bodyReadByHand: TokenRequestSchema,
  bodyTypes: ['application/x-www-form-urlencoded'],
  answers: {
    200: { description: 'The token.', content: { 'application/json': TokenSchema } },
    400: refused('The form is not one that can be answered.'),
    401: {
      ...refused('The credentials are wrong, unknown or suspended.'),
      headers: ['WWW-Authenticate'],
    },
    413: refused('The form is too large.'),
  },
  problems: ['RATE_LIMITED'],
  examples: examples.createAccessToken,
} as const satisfies FastifySchema;

/** The key set (contract §3). */
export const KEY_SET_OPERATION = {
  operationId: 'getKeySet',
  summary: 'Read the key set',
  description: 'The public keys of the access tokens, for whoever wants to verify one (RFC 7517).',
  tags: TAGS,
  answers: {
    200: { description: 'The keys.', content: { 'application/jwk-set+json': KeySetSchema } },
  },
  examples: examples.getKeySet,
} as const satisfies FastifySchema;

/** The addresses and abilities of the token call, for programs (RFC 8414). */
export const SERVER_METADATA_OPERATION = {
  operationId: 'getServerMetadata',
  summary: 'Read the token call’s addresses',
  description:
    'The metadata of RFC 8414, from which OAuth clients configure themselves. Your client finds ' +
    'them from the issuer alone, which is the address of the token call.',
  tags: TAGS,
  answers: {
    200: { description: 'The metadata.', content: { 'application/json': ServerMetadataSchema } },
  },
  examples: examples.getServerMetadata,
} as const satisfies FastifySchema;
