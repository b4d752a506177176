import { Readable } from 'node:stream';
import { exportAuditLog, exportMerchantAudit } from '#audit/export-audit-log.ts';
import { readVerification, verifyNextStep } from '#audit/verify-step.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import { NO_READ_AHEAD } from '#console/shell/file-streams.ts';
import { renderVerification, VERIFY_PATH } from './verification-page.ts';

const JSON_LINES = 'application/x-ndjson; charset=utf-8';

/** The audit log: of a merchant for its administrators, of all merchants for operators. */
export function registerAuditPages(routes: ConsoleRoutes): void {
  routes.page('/m/:merchant/audit/export', 'audit.read', ({ db }, { merchantId }) =>
    jsonLines(exportMerchantAudit(db, merchantId)),
  );
  routes.page('/operator/audit/export', 'operator.audit.read', ({ db }) =>
    jsonLines(exportAuditLog(db, '0')),
  );
  routes.page(VERIFY_PATH, 'operator.audit.read', async (deps, visit) =>
    renderVerification(visit, await readVerification(deps)),
  );
  routes.act(VERIFY_PATH, 'operator.audit.verify', 'choice', async (deps, { actor }, form) => {
    const { db, clock, operators } = deps;
    const { secretsKey } = operators;
    const options = { actor, anew: form.get('go') !== 'on' };
    await verifyNextStep({ db, clock, secretsKey }, options);
    return { to: `/console${VERIFY_PATH}`, done: 'verified' };
  });
}

/** Read from the database a page at a time, as fast as the person takes the lines. */
function jsonLines(lines: AsyncGenerator<string>) {
  return {
    fileName: 'audit-log.jsonl',
    type: JSON_LINES,
    content: Readable.from(lines, NO_READ_AHEAD),
  };
}
