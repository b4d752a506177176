import { Type } from 'typebox';
import type { DocumentedAnswer } from '#http/json/route-schema.ts';
import { RefundSchema } from './answer-schemas.ts';

export const REFUND_TAGS = ['Refunds'];

/** The path of the calls that concern one refund. */
export const RefundParamsSchema = Type.Object({
  id: Type.String({ description: 'The refund’s id.' }),
});

/** Documents an answer that carries a refund. */
export function refundAnswered(
  description: string,
  headers: NonNullable<DocumentedAnswer['headers']>,
): DocumentedAnswer {
  return { description, headers, content: { 'application/json': RefundSchema } };
}
