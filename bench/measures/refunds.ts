import type { Line } from '../line.ts';
import type { Bench } from '../open-bench.ts';
import { createCall, createPaid, refundCall } from '../service/calls.ts';
import { startServiceUnderTest } from '../service/service-under-test.ts';
import { callLine, measureCall } from './call-line.ts';

/**
 * Measures refunds of one payment request beside creates with a key. The service has the role `api`
 * alone: the sandbox would complete the refunds of earlier rounds in the measured process.
 */
export async function refundLine(bench: Bench): Promise<Line> {
  const service = await startServiceUnderTest(bench.serverUrl, {}, ['--roles', 'api']);
  const create = createCall(service);
  const headers = { ...create.headers, 'idempotency-key': 'bench-create-[<number>]' };
  const line = await callLine(bench, service, {
    name: 'refund',
    call: refundCall(service, await createPaid(service)),
    beside: [
      {
        name: 'create with Idempotency-Key',
        run: () => measureCall(bench, { ...create, headers }, service),
      },
    ],
  });
  return { ...line, end: service.end };
}
