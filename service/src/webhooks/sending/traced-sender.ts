import type { Tracing } from '#telemetry/tracing/tracing.ts';
import type { WebhookSender } from '#webhooks/https/send-webhook.ts';

/** Makes each attempt a span of the trace in which its payment request was created. */
export function tracedSender(sender: WebhookSender, tracing: Tracing | null): WebhookSender {
  if (!tracing) return sender;
  return {
    ...sender,
    async send(webhook, ...more) {
      const span = tracing.start('webhook attempt', 'client', webhook.traceparent ?? null);
      span.set({ 'payreq.event_id': webhook.id, 'http.request.method': 'POST' });
      try {
        const result = await sender.send({ ...webhook, traceparent: span.traceparent }, ...more);
        span.set({ 'payreq.outcome': result.outcome });
        if (result.httpStatus !== null)
          span.set({ 'http.response.status_code': result.httpStatus });
        span.end(result.outcome === 'SUCCEEDED' ? undefined : new Error(result.outcome));
        return result;
      } catch (error) {
        span.end(error);
        throw error;
      }
    },
  };
}
