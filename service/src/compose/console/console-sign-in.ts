import { createIdentityProvider } from '#console/sign-in/oidc/identity-provider.ts';
import type { SignInDeps } from '#console/sign-in/sign-in-deps.ts';
import type { Foundation } from '../foundation.ts';

/** The sign-in of the console, with the identity provider of the configuration. */
export function consoleSignInOf({ config, clock, log }: Foundation): SignInDeps {
  const { secretsKey, consoleOidcIssuer: issuer, consoleOidcClientId: clientId } = config;
  if (issuer === null || clientId === null) return { provider: null, secretsKey, log };
  const { origin } = new URL(config.publicApiUrl);
  const provider = createIdentityProvider({
    issuer,
    clientId,
    clientSecret: config.consoleOidcClientSecret,
    scopes: config.consoleOidcScopes,
    rolesClaim: config.consoleRolesClaim,
    redirectUri: `${origin}/console/sign-in/callback`,
    clock,
  });
  const { host } = new URL(issuer);
  return { provider: { ...provider, host, rules: config.consoleRoles }, secretsKey, log };
}
