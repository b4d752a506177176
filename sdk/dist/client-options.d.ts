import type { CallHooks } from './call-hooks.js';
import type { Clock } from './clock.js';
/**
 * The options of a client. The hooks `onRequest` and `onResponse` see every attempt without its
 * secrets; a hook that throws changes no call.
 */
export interface ClientOptions extends CallHooks {
    /** {base_url}, for example `https://pay.example.com/v1`. */
    readonly baseUrl: string;
    /** {auth_url}: the complete URL of the token call. */
    readonly authUrl: string;
    readonly username: string;
    readonly password: string;
    readonly apiKey: string;
    /** The limit of one attempt, until its answer is read completely; default 15 seconds. */
    readonly timeoutMs?: number | undefined;
    /** The limit of retries after a transient failure, 0 to 10; default 4. */
    readonly maxRetries?: number | undefined;
    /** Replaces the global `fetch`, for a proxy or a test. */
    readonly fetch?: typeof globalThis.fetch | undefined;
    /** Replaces the system's time, for a test. */
    readonly clock?: Clock | undefined;
}
/** @throws InvalidArgumentError for an option that is missing or out of range */
export declare function checkClientOptions(options: ClientOptions): void;
