import { databaseReadings } from '#compose/database-readings.ts';
import type { Foundation } from '#compose/foundation.ts';
import type { Parts } from '#compose/parts.ts';
import type { OperatorPageDeps } from '#console/operators/operator-deps.ts';
import { createReadinessProbe } from '#telemetry/health/readiness.ts';
import { shareReadings } from '#telemetry/metrics/database-gauges.ts';
import { stalledLoop } from '#telemetry/metrics/loop-health.ts';
import { SERVICE_VERSION } from '../../version.ts';

/** The needs of the console's pages for operators. */
export function operatorPageDepsOf(
  { config, db, clock }: Foundation,
  { guard, loops, clockWatch, connected }: Parts,
): OperatorPageDeps {
  const { secretsKey, isLocal, refundsPerDayCents } = config;
  const turns = () => loops.flatMap((loop) => loop.turns());
  const probe = createReadinessProbe(db);
  return {
    secretsKey,
    isLocal,
    refundsPerDayCents,
    hasAccounts: connected?.network.limits.needsCreditorAccount ?? false,
    checkWebhookUrl: (url) => guard.check(url, 'save'),
    version: SERVICE_VERSION,
    loops: turns,
    readGauges: shareReadings({ db, clock, readings: databaseReadings(config) }),
    async unreadyBecause() {
      const reason = clockWatch.fault() ?? stalledLoop(turns());
      if (reason !== null) return reason;
      const readiness = await probe.check();
      return readiness.ready ? null : readiness.reason;
    },
  };
}
