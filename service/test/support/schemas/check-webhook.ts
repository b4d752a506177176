import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

/** The faults of a webhook's body; none where it is valid. */
export type WebhookCheck = (body: string) => string[];

/**
 * Holds webhooks to the `webhooks` of an OpenAPI document, as a merchant's listener does that
 * validates what comes.
 */
export function webhookCheckOf(documentText: string): WebhookCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  // Its default export is the function and, beside itself, a module's.
  (ajvFormats as unknown as (target: Ajv2020) => void)(ajv);
  const document = JSON.parse(documentText);
  ajv.addSchema(document, 'document');
  const validators = new Map<string, ValidateFunction>(
    Object.keys(document.webhooks).map((eventType) => {
      const pointer = `/webhooks/${eventType}/post/requestBody/content/application~1json/schema`;
      return [eventType, ajv.compile({ $ref: `document#${pointer}` })];
    }),
  );
  return (body) => {
    const event = JSON.parse(body);
    const validate = validators.get(event.eventType);
    if (!validate) return [`no event type ${event.eventType}`];
    if (validate(event)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}
