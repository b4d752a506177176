import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { isBearer } from '#http/headers/is-bearer.ts';
import { prepareJsonBody, readJsonCall } from '#http/json/call.ts';
import { throwFaults } from '#lib/first-faults.ts';
import type { Log } from '#telemetry/log/log.ts';
import { applyReceipt, type ReceiptDeps, type SmsReceipt } from './apply-receipt.ts';

export interface SmsReceiptRoutesDeps extends ReceiptDeps {
  readonly log: Log;
  /** `SMS_RECEIPT_TOKEN` */
  readonly token: Buffer;
}

/** A provider's code fits well; more would be a text, which may name the recipient. */
const CODE = /^[\w.-]{1,40}$/;

/** The body of POST /sms-receipts (messages §6). */
const SmsReceiptSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  status: Type.Enum(['DELIVERED', 'FAILED']),
  reason: Type.Optional(Type.String({ maxLength: 500 })),
});

/** A receipt has three short members. */
const MOST_BODY_BYTES = 4_096;

/**
 * `POST /sms-receipts`, for the operators' listener. The answer is 204 for every message: a relay
 * that repeats a receipt learns nothing, and has nothing to repeat.
 */
export function registerSmsReceiptRoutes(app: FastifyInstance, deps: SmsReceiptRoutesDeps): void {
  app.post(
    '/sms-receipts',
    {
      bodyLimit: MOST_BODY_BYTES,
      onRequest(request, reply, done) {
        if (isBearer(request.headers.authorization, deps.token)) return done();
        reply
          .code(401)
          .header('www-authenticate', 'Bearer realm="operators"')
          .send({ status: 'unauthorized', reason: 'receipts need SMS_RECEIPT_TOKEN' });
      },
      preValidation: prepareJsonBody(SmsReceiptSchema),
      schema: { hide: true, body: SmsReceiptSchema },
      attachValidation: true,
    },
    async (request, reply) => {
      const { members, faults } = readJsonCall(request, SmsReceiptSchema);
      throwFaults(faults);
      const { id, status, reason } = members as unknown as SmsReceipt & { reason?: string };
      const isEnded = await applyReceipt(deps, { id, status });
      const code = CODE.test(reason ?? '') ? reason : undefined;
      deps.log.info({ messageId: id, status, reason: code, outcome: isEnded }, 'sms receipt');
      return reply.code(204).send();
    },
  );
}
