import { type Transport } from './send-call.js';
export interface AccessTokenOptions {
    readonly transport: Transport;
    /** {auth_url}: the complete URL of the token call. */
    readonly authUrl: string;
    readonly username: string;
    readonly password: string;
}
export interface AccessTokens {
    /** Gives a token that is valid now. */
    get(signal?: AbortSignal): Promise<string>;
    /** Drops a token that the service refused, so that the next call requests another. */
    forget(token: string): void;
}
/**
 * Requests access tokens (interface §4) and keeps each token until shortly before its end. All
 * calls share one renewal.
 */
export declare function createAccessTokens(options: AccessTokenOptions): AccessTokens;
