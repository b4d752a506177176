import { type Static, Type } from 'typebox';
import { limitParameter } from '#http/json/list-parameters.ts';

/** Nearly every timeline fits in one page; a page of attempts with full answers has some 150 KB. */
export const DEFAULT_TIMELINE_LIMIT = 100;

/** The parameters of GET /payment-requests/{id}/timeline. */
export const TimelineQuerySchema = Type.Object(
  {
    limit: limitParameter('How many entries a page holds at most.', DEFAULT_TIMELINE_LIMIT),
    cursor: Type.Optional(
      Type.String({ minLength: 1, description: 'The nextCursor of the page before.' }),
    ),
  },
  { additionalProperties: false },
);

export type TimelineQuery = Static<typeof TimelineQuerySchema>;
