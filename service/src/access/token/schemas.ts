import { Type } from 'typebox';
import { SCOPES } from '#merchants/scopes.ts';

/** The form of the token call (interface §4; contract §3). */
export const TokenRequestSchema = Type.Object(
  {
    grant_type: Type.Literal('client_credentials'),
    scope: Type.Optional(
      Type.String({
        description: `Scopes with a space between them: ${SCOPES.join(', ')}.`,
        examples: ['payment_request/all'],
      }),
    ),
    client_id: Type.Optional(
      Type.String({ description: 'The username, where no Authorization header is sent.' }),
    ),
    client_secret: Type.Optional(
      Type.String({ description: 'The password, where no Authorization header is sent.' }),
    ),
  },
  { title: 'TokenRequest' },
);

export const TokenSchema = Type.Object(
  {
    access_token: Type.String({ description: 'Send it as Authorization: Bearer.' }),
    expires_in: Type.Integer({ minimum: 1, description: 'Its lifetime in seconds.' }),
    token_type: Type.Literal('Bearer'),
    scope: Type.Optional(
      Type.String({
        description: 'The scopes of the token, if they differ from payment_request/all.',
      }),
    ),
  },
  { title: 'Token' },
);

/** RFC 6749 §5.2. */
export const TokenErrorSchema = Type.Object(
  {
    error: Type.Enum([
      'invalid_request',
      'invalid_client',
      'unsupported_grant_type',
      'invalid_scope',
    ]),
    error_description: Type.String({ description: 'The fault in words, for developers.' }),
  },
  { title: 'TokenError' },
);

/** RFC 7517, with the members that an Ed25519 key has (RFC 8037). */
export const KeySetSchema = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.Literal('OKP'),
        crv: Type.Literal('Ed25519'),
        x: Type.String({ description: 'The public key, base64url.' }),
        kid: Type.String(),
        alg: Type.Literal('EdDSA'),
        use: Type.Literal('sig'),
      }),
    ),
  },
  { title: 'KeySet' },
);

/** The authorization server's metadata (RFC 8414 §2), as far as this service has them. */
export const ServerMetadataSchema = Type.Object(
  {
    issuer: Type.String({ format: 'uri', description: 'Equals the claim iss of every token.' }),
    token_endpoint: Type.String({ format: 'uri', description: 'The address of the token call.' }),
    jwks_uri: Type.String({ format: 'uri', description: 'The address of the key set.' }),
    scopes_supported: Type.Array(Type.Enum([...SCOPES])),
    response_types_supported: Type.Array(Type.String(), {
      maxItems: 0,
      description: 'Empty: nobody signs in through a browser.',
    }),
    grant_types_supported: Type.Array(Type.Literal('client_credentials')),
    token_endpoint_auth_methods_supported: Type.Array(
      Type.Enum(['client_secret_basic', 'client_secret_post']),
    ),
    service_documentation: Type.String({ format: 'uri' }),
  },
  { title: 'ServerMetadata' },
);
