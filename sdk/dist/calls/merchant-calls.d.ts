import type { CallOptions, RepeatableCallOptions, WriteOptions } from '../call-options.js';
import type { ClientOptions } from '../client-options.js';
import type { AccessTokens } from './access-token.js';
import { type Answer, type Call, type Transport } from './send-call.js';
/** A call with a path below {base_url}. */
export type CallTo = Omit<Call, 'url' | 'repeatable' | 'headers'> & {
    readonly path: string;
    readonly headers?: Call['headers'];
    /** Default: true. */
    readonly repeatable?: boolean;
};
/** The calls of one merchant, with its API key and its token. */
export interface MerchantCalls {
    readonly transport: Transport;
    call(call: CallTo): Promise<Answer>;
    get(path: string, options: CallOptions): Promise<Answer>;
    /** Sends a POST under an idempotency key, so that the service does a repeated call once. */
    post(path: string, body: string, options: RepeatableCallOptions): Promise<Answer>;
    /** Sends a JSON Merge Patch. */
    patch(path: string, changes: object, options: WriteOptions, how: {
        readonly repeatable: boolean;
        readonly headers?: Call['headers'];
    }): Promise<Answer>;
}
export declare function createMerchantCalls({ baseUrl, apiKey }: Pick<ClientOptions, 'baseUrl' | 'apiKey'>, transport: Transport, tokens: AccessTokens): MerchantCalls;
/** The options that every call passes on. */
export declare function limitsOf({ signal, timeoutMs, retries }: CallOptions): {
    signal: AbortSignal | undefined;
    timeoutMs: number | undefined;
    retries: number | undefined;
};
/**
 * Reads a resource out of an answer, and remembers the answer behind it.
 * @throws ProblemError when the answer is no success
 */
export declare function resourceOf<Resource extends object>(answer: Answer): Resource;
