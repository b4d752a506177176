/** An environment of the service; its credentials carry its prefix. */
export type CredentialEnvironment = 'sandbox' | 'production';

const PREFIXES = { sbx_: 'sandbox', prd_: 'production' } as const;

/** A deployment in several cells begins its credentials with a mark, as in `c2-prd_`. */
const CELL_MARK = /^c\d{1,3}-/;

/** Reads the environment off a credential's prefix; undefined for a credential of another form. */
export function environmentOf(credential: string): CredentialEnvironment | undefined {
  const prefix = credential.replace(CELL_MARK, '').slice(0, 4);
  return PREFIXES[prefix as keyof typeof PREFIXES];
}
