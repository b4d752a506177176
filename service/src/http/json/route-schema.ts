import type { ProblemCode } from '#lib/problem.ts';
import type { AnswerHeader, CallHeader } from './documented-headers.ts';

declare module 'fastify' {
  /**
   * The members of a route's `schema` beside those that validate; the OpenAPI document is made from
   * it.
   */
  interface FastifySchema {
    /** Unique over the whole service: clients name their functions after it. */
    operationId?: string;
    summary?: string;
    description?: string;
    tags?: readonly string[];
    /** A merchant's call: any one of these scopes lets it pass. */
    scopes?: readonly string[];
    /** The call takes credentials by HTTP Basic. */
    isBasic?: boolean;
    /** The answer shows secrets: it is never compressed (decision 0038). */
    hasSecrets?: boolean;
    /** The headers that the call reads, beside those of every call. */
    callHeaders?: readonly CallHeader[];
    /** The body may be left out. */
    isBodyOptional?: boolean;
    /**
     * The body's description, where a call's own rules read it instead of the schema's validation.
     */
    bodyReadByHand?: object;
    /** The media types of the body; left out: JSON. */
    bodyTypes?: readonly string[];
    /** The answers of the call when all is well, by status. */
    answers?: Readonly<Record<number, DocumentedAnswer>>;
    /** The problems that this call can answer, beside those of every call (contract §7). */
    problems?: readonly ProblemCode[];
    /** Calls that can be made as they stand, but for ids and secrets. */
    examples?: readonly CallExample[];
    /** Answered, but no part of the documented API: pages for people. */
    hide?: boolean;
  }
}

export interface DocumentedAnswer {
  readonly description: string;
  /** Media type → JSON schema; left out: no body. */
  readonly content?: Readonly<Record<string, object>>;
  readonly headers?: readonly AnswerHeader[];
}

export interface CallExample {
  /** Unique in its operation: one word. */
  readonly name: string;
  readonly summary: string;
  /** Parameters of the path. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The status that it is answered with. */
  readonly status: number;
  /** An answer's body as it could be, in the first media type of its status. */
  readonly answer?: unknown;
}
