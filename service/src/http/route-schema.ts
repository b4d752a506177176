import type { ProblemCode } from '#lib/problem.ts';

declare module 'fastify' {
  /** What a route's `schema` says beside what validates; the OpenAPI document is made from it. */
  interface FastifySchema {
    /** Unique over the whole service: clients name their functions after it. */
    operationId?: string;
    summary?: string;
    description?: string;
    tags?: readonly string[];
    /** The problems that this call can answer, beside those of every call (contract §7). */
    problems?: readonly ProblemCode[];
    /** Answered, but no part of the documented API: pages for people. */
    hide?: boolean;
  }
}
