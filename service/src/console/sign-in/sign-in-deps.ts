import type { RotatingKey } from '#lib/secret-key.ts';
import type { Log } from '#telemetry/log/log.ts';
import type { RoleRule } from './model/role-mapping.ts';
import type { IdentityProvider } from './oidc/identity-provider.ts';

/** The operator's identity provider. */
export interface ConsoleProvider extends IdentityProvider {
  /** Its host, for the button. */
  readonly host: string;
  readonly rules: readonly RoleRule[];
}

export interface SignInDeps {
  /** null: people sign in by one-time links alone. */
  readonly provider: ConsoleProvider | null;
  /** `SECRETS_KEY`, which seals a begun sign-in. */
  readonly secretsKey: RotatingKey;
  readonly log: Pick<Log, 'warn'>;
}
