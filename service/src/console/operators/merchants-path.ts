import { html } from 'ghtml';
import { column } from '#console/components/table.ts';

/** The path of the pages about merchants, below `/console`. */
export const MERCHANTS_PATH = '/operator/merchants';

/** The merchant of each row, as a link to its page for operators. */
export const merchantColumn = <
  Row extends { readonly merchantId: string; readonly merchantName: string },
>(
  title: string,
) =>
  column(
    title,
    ({ merchantId, merchantName }: Row) =>
      html`<a href="/console${MERCHANTS_PATH}/${merchantId}">${merchantName}</a>`,
  );
