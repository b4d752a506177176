export {
  createTestService,
  type TestService,
  type TestServiceOptions,
} from './create-test-service.ts';
export type { DeliveredWebhook, Listener, ListenerAnswer, SentWebhook } from './webhooks.ts';
