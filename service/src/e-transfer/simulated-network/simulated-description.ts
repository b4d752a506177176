import type { NetworkDescription } from '../network-description.ts';
import { eraseGatewayData } from './erase-store.ts';

/** The simulated network: every payment is at its gateway, and no money moves. */
export const SIMULATED_NETWORK: NetworkDescription<unknown> = {
  isSimulated: () => true,
  canRefund: () => true,
  load: async () => (await import('./simulated-network.ts')).createSimulatedNetwork,
  eraseTexts: eraseGatewayData,
  steps: [
    {
      name: 'report of',
      id: 'payment_request_id',
      table: 'gateway_payments',
      dueAt: 'report_due_at',
    },
    {
      name: 'settlement of',
      id: 'payment_request_id',
      table: 'gateway_payments',
      isLeft: `state = 'ACCEPTED'`,
      dueAt: 'settles_at',
    },
    {
      name: 'return of',
      id: 'payment_request_id',
      table: 'gateway_payments',
      dueAt: 'returns_at',
    },
    {
      name: 'refund at the network',
      id: 'refund_id',
      table: 'gateway_refunds',
      dueAt: 'due_at',
    },
  ],
};
