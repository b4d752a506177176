import { html } from 'ghtml';
import { link } from '#console/lists/columns.ts';

/** The path of the pages about merchants, below `/console`. */
export const MERCHANTS_PATH = '/operator/merchants';

/** The merchant of each row, as a link to its page for operators. */
export const merchantColumn = link<{ readonly merchantId: string; readonly merchantName: string }>(
  ({ merchantId, merchantName }) =>
    [`/console${MERCHANTS_PATH}/${merchantId}`, html`${merchantName}`] as const,
);
