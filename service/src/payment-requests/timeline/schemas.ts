import type { Static } from 'typebox';
import { Type } from '#lib/json/schema-types.ts';

/** Nearly every timeline fits in one page; a page of attempts with full answers has some 150 KB. */
export const DEFAULT_TIMELINE_LIMIT = 100;
const LARGEST_LIMIT = 100;

/** The parameters of GET /payment-requests/{id}/timeline. */
export const TimelineQuerySchema = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LARGEST_LIMIT,
        default: DEFAULT_TIMELINE_LIMIT,
        description: 'How many entries a page holds at most.',
      }),
    ),
    cursor: Type.Optional(
      Type.String({ minLength: 1, description: 'The nextCursor of the page before.' }),
    ),
  },
  { additionalProperties: false },
);

export type TimelineQuery = Static<typeof TimelineQuerySchema>;
