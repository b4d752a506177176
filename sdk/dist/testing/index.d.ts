export { createTestService, type TestService, type TestServiceOptions, } from './create-test-service.js';
export type { DeliveredWebhook, Listener, ListenerAnswer, SentWebhook } from './webhooks.js';
