export {
  type IncomingWebhook,
  type ListenerCredentials,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookFault,
  WebhookVerificationError,
} from './webhooks.ts';
