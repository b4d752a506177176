/** An environment of the service; its credentials carry its prefix. */
export type CredentialEnvironment = 'sandbox' | 'production';
/** Reads the environment off a credential's prefix; undefined for a credential of another form. */
export declare function environmentOf(credential: string): CredentialEnvironment | undefined;
