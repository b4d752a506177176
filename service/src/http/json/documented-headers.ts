import headers from './documented-headers.json' with { type: 'json' };

interface Documented {
  readonly description: string;
  readonly schema: object;
}

/**
 * Headers that calls may send (contract §4), as the OpenAPI document tells them. Without examples:
 * a page that tries calls would send every one of them, the same Idempotency-Key with each call.
 */
export const CALL_HEADERS = headers.calls satisfies Readonly<Record<string, Documented>>;
export type CallHeader = keyof typeof CALL_HEADERS;

type Example = Readonly<Record<'example', string>>;

/** Headers of answers. */
export const ANSWER_HEADERS = headers.answers satisfies Readonly<
  Record<string, Documented & Example>
>;
export type AnswerHeader = keyof typeof ANSWER_HEADERS;
