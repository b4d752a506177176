import { createHash } from 'node:crypto';
import { COLOURS } from '#http/pages/colours.ts';
import { APPROVAL_STYLE } from './styles/approvals.ts';
import { COMPONENT_STYLE } from './styles/components.ts';
import { LAYOUT_STYLE } from './styles/layout.ts';
import { LIST_STYLE } from './styles/lists.ts';
import { MONEY_STYLE } from './styles/money.ts';
import { OPERATOR_STYLE } from './styles/operators.ts';
import { OVERVIEW_STYLE } from './styles/overview.ts';
import { PAYMENT_REQUEST_STYLE } from './styles/payment-request.ts';
import { PRINT_STYLE } from './styles/print.ts';
import { SIGN_IN_STYLE } from './styles/sign-in.ts';
import { WEBHOOK_STYLE } from './styles/webhooks.ts';

/** Every sheet of the console, in the order of the cascade: add the sheet of a new part here. */
const SHEETS = [
  COLOURS,
  LAYOUT_STYLE,
  COMPONENT_STYLE,
  LIST_STYLE,
  MONEY_STYLE,
  OVERVIEW_STYLE,
  APPROVAL_STYLE,
  PAYMENT_REQUEST_STYLE,
  WEBHOOK_STYLE,
  SIGN_IN_STYLE,
  OPERATOR_STYLE,
  PRINT_STYLE,
];

/** Without the line breaks, which only the source needs. */
export const CONSOLE_STYLE = SHEETS.join('\n').replace(/\s+/g, ' ').trim();

const hash = createHash('sha256').update(CONSOLE_STYLE).digest('hex').slice(0, 16);

/** The address holds a hash of the contents, so that it never changes what it answers. */
export const STYLE_PATH = `/console/style-${hash}.css`;
