import { defineCommand, defineNoun } from '#commands/cli/define-command.ts';
import { argument, choice, option } from '#commands/cli/inputs.ts';
import { refundMembers } from '#refunds/model/render-json.ts';
import { REFUND_STATUSES } from '#refunds/model/statuses.ts';
import {
  findForOperator,
  listForOperator,
  MOST_LISTED,
} from '#refunds/operator/find-for-operator.ts';
import { complete } from './complete.ts';
import { fail } from './fail.ts';
import { formatRefund, formatRefundList } from './format-text.ts';

const list = defineCommand({
  summary: `print the newest refunds of all merchants, at most ${MOST_LISTED}`,
  options: {
    merchant: option('<id>', 'only refunds of this merchant'),
    paymentRequest: option('<id>', 'only refunds of this payment request'),
    status: choice(REFUND_STATUSES, '<status>', 'only this status'),
  },
  async run(settings, { merchant: merchantId, paymentRequest: paymentRequestId, status }) {
    const asked = { merchantId, status, paymentRequestId };
    return { settings, refunds: await listForOperator(settings.db, asked) };
  },
  json: ({ refunds, settings }) => ({
    refunds: refunds.map((each) => refundMembers(each, settings)),
  }),
  print: ({ refunds, settings }) => formatRefundList(refunds, settings),
});

const show = defineCommand({
  summary: 'print a refund of any merchant with its statuses',
  options: { id: argument('the refund, by its id') },
  run: async (settings, { id }) => ({ settings, refund: await findForOperator(settings.db, id) }),
  json: ({ refund, settings }) => refundMembers(refund, settings),
  print: ({ refund, settings }) => formatRefund(refund, settings),
});

/** `payreq refund`: every command about refunds. */
export const refundCommand = defineNoun('money that merchants give back', {
  show,
  list,
  fail,
  complete,
});
