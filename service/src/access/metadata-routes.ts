import type { FastifyInstance } from 'fastify';
import { SERVER_METADATA_OPERATION } from '#access/token/operation.ts';
import { SCOPES } from '#merchants/scopes.ts';
import type { TokenDeps } from './token/issue.ts';

/** Short, as for the key set: a changed address is known everywhere soon. */
const CACHE_CONTROL = 'public, max-age=60';
const WELL_KNOWN = '/.well-known/oauth-authorization-server';

export interface ServerMetadataDeps extends Pick<TokenDeps, 'publicAuthUrl'> {
  /** The origin of {base_url}, which serves the reference page. */
  readonly origin: string;
}

/**
 * The authorization server's metadata (RFC 8414). The issuer is {auth_url} (contract §3), which has
 * a path. A client therefore inserts the well-known part before that path (RFC 8414 §3.1). Clients
 * that began with OpenID Connect append their own suffix to the issuer (RFC 8414 §5), as
 * `discovery()` of openid-client does unless told otherwise. People try the address without a path.
 */
export function registerServerMetadataRoutes(app: FastifyInstance, deps: ServerMetadataDeps): void {
  const { origin, pathname } = new URL(deps.publicAuthUrl);
  const metadata = {
    issuer: deps.publicAuthUrl,
    token_endpoint: deps.publicAuthUrl,
    jwks_uri: `${origin}/.well-known/jwks.json`,
    scopes_supported: SCOPES,
    // Required by RFC 8414 §2; there is no authorization endpoint.
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    service_documentation: `${deps.origin}/docs`,
  };
  const issuerPath = pathname.replace(/\/$/, '');
  const paths = [`${WELL_KNOWN}${issuerPath}`, `${issuerPath}/.well-known/openid-configuration`];
  for (const path of new Set([WELL_KNOWN, ...paths])) {
    const schema = path === WELL_KNOWN ? SERVER_METADATA_OPERATION : { hide: true };
    app.get(path, { schema }, (_request, reply) =>
      reply.header('cache-control', CACHE_CONTROL).send(metadata),
    );
  }
}
