import { createHash } from 'node:crypto';
import { readStyle } from '#http/pages/style.ts';

/** Every sheet of the console, in the order of the cascade: add the sheet of a new part here. */
export const CONSOLE_STYLE = readStyle(
  'base/tokens',
  'base/document',
  'console/layout',
  'console/text',
  'console/parts',
  'console/forms',
  'console/table',
  'console/lists',
  'console/palette',
  'console/money',
  'console/overview',
  'console/approvals',
  'console/payment-request',
  'console/webhooks',
  'console/sign-in',
  'console/operators',
  'base/code',
  'console/print',
);

const hash = createHash('sha256').update(CONSOLE_STYLE).digest('hex').slice(0, 16);

/** The address holds a hash of the contents, so that it never changes what it answers. */
export const STYLE_PATH = `/console/style-${hash}.css`;
