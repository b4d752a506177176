import type { RotatingKey } from '#lib/secret-key.ts';

/** The needs of the pages about credentials. */
export interface CredentialPageDeps {
  /** `CREDENTIALS_PEPPER`, and the pepper that it replaces. */
  readonly credentialsPepper: RotatingKey;
  /** {base_url} */
  readonly publicApiUrl: string;
  /** {auth_url} */
  readonly publicAuthUrl: string;
}
