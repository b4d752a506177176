import { type TSchema, Type } from 'typebox';

/** A link of an answer. */
export const LinkSchema = Type.Object(
  {
    rel: Type.String({ description: 'The target of the link.' }),
    href: Type.String({ format: 'uri' }),
  },
  { title: 'Link' },
);

/** The schema of the answer of every list: a page, and how to go on (contract §4, List). */
export function pageOf<Item extends TSchema>(item: Item, title: string) {
  return Type.Object(
    {
      data: Type.Array(item),
      hasMore: Type.Boolean({ description: 'Whether there is a next page.' }),
      nextCursor: Type.Union([Type.String(), Type.Null()], {
        description: 'The cursor of the next page; null on the last.',
      }),
      links: Type.Array(LinkSchema, { description: 'self, and next where there is one.' }),
    },
    { title },
  );
}
