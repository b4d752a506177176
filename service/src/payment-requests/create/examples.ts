import type { CallExample } from '#http/json/route-schema.ts';
import {
  CREATED_EXAMPLE,
  EXAMPLE_BODY,
  examplePaymentRequest,
} from '#payment-requests/model/examples.ts';

const SHORT_BODY = {
  amount: 10,
  type: 'ECOMM',
  payer: { name: 'depositSubmit', email: 'ada.tremblay@example.com' },
} as const;

export const CREATE_EXAMPLES: readonly CallExample[] = [
  {
    name: 'short',
    summary: 'Minimal request (in the sandbox: paid after about 10 seconds)',
    body: SHORT_BODY,
    status: 201,
    answer: examplePaymentRequest({ ...SHORT_BODY, dueDate: '2026-03-02' }, { status: 'CREATED' }),
  },
  {
    name: 'full',
    summary: 'With every field',
    body: EXAMPLE_BODY,
    status: 201,
    answer: CREATED_EXAMPLE,
  },
  {
    name: 'invalid',
    summary: 'Two fields are wrong',
    body: { amount: 10.005, type: 'ECOMM', payer: { name: 'Ada Tremblay' } },
    status: 400,
  },
];
