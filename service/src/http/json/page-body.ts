import type { QuerySchema } from '#database/lists/list.ts';
import type { Page } from '#lib/cursor.ts';

/** An address of a list with its parameters, in the order of the schema. */
function listHref(
  address: string,
  { properties }: QuerySchema,
  query: Readonly<Record<string, unknown>>,
): string {
  // The parameters of a URL object are parsed again at each change.
  const parameters = new URLSearchParams();
  for (const name in properties) {
    const given = query[name] ?? [];
    if (!Array.isArray(given)) parameters.append(name, String(given));
    else for (const value of given) parameters.append(name, String(value));
  }
  const { href } = new URL(address);
  return parameters.size === 0 ? href : `${href}?${parameters}`;
}

/**
 * The body of a page (contract §4, List), as `pageOf` describes it.
 * @param address the list's, without parameters
 * @param query   the parameters of this page
 */
export function pageBody<Entry>(
  { data, nextCursor }: Page<Entry>,
  address: string,
  schema: QuerySchema,
  query: Readonly<Record<string, unknown>>,
) {
  const links = [{ rel: 'self', href: listHref(address, schema, query) }];
  if (nextCursor !== null) {
    const next = listHref(address, schema, { ...query, cursor: nextCursor });
    links.push({ rel: 'next', href: next });
  }
  return { data, hasMore: nextCursor !== null, nextCursor, links };
}

/** `pageBody` as JSON, of entries that are JSON already. */
export function renderPage(
  page: Page<string>,
  address: string,
  schema: QuerySchema,
  query: Readonly<Record<string, unknown>>,
): string {
  const { data, ...others } = pageBody(page, address, schema, query);
  return `{"data":[${data.join(',')}],${JSON.stringify(others).slice(1)}`;
}
