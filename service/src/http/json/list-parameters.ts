import { Type } from 'typebox';
import { DEFAULT_LIMIT } from '#database/lists/list.ts';

/** Contract §4, List: `limit` 1–100. */
const LARGEST_LIMIT = 100;

/** The parameter `limit` of a list. */
export function limitParameter(description: string, usual = DEFAULT_LIMIT) {
  return Type.Optional(
    Type.Integer({ minimum: 1, maximum: LARGEST_LIMIT, default: usual, description }),
  );
}

/** The parameters of a page (contract §4, List). */
export const PAGE_PARAMETERS = {
  limit: limitParameter('How many a page holds at most.'),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The nextCursor of the page before, with the same filters.',
    }),
  ),
};

const instant = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description }));

/** The parameters of the instants of creation. */
export const CREATED_PARAMETERS = {
  createdFrom: instant('Created at this instant or later.'),
  createdTo: instant('Created before this instant.'),
};
