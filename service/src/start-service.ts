import { recordPolicy } from '#approvals/record-policy.ts';
import type { Loop } from '#lib/loop.ts';
import { createProcessHealth, type Health } from '#telemetry/health/health.ts';
import { STARTING, STOPPING } from '#telemetry/health/report-readiness.ts';
import { createApp, createOpsApp, type OpsAppDeps } from './app.ts';
import { startBackground } from './background.ts';
import { appDepsOf } from './compose/app-deps.ts';
import { backgroundDepsOf } from './compose/background-deps.ts';
import { checkKeys } from './compose/check-keys.ts';
import { type ClosingSteps, createClosingSteps } from './compose/closing-steps.ts';
import { checkBankDemo } from './compose/deployment/check-bank-demo.ts';
import { checkDeploymentCell } from './compose/deployment/check-deployment-cell.ts';
import { checkDeploymentMoney } from './compose/deployment/check-deployment-money.ts';
import { type Foundation, openFoundation, type ServiceOptions } from './compose/foundation.ts';
import { listen } from './compose/listen.ts';
import { smsReceiptDepsOf } from './compose/messages/receipt-deps.ts';
import { programsOf } from './compose/networks.ts';
import { createParts, type Parts } from './compose/parts.ts';
import { SERVICE_VERSION } from './version.ts';

export interface RunningService {
  /** The public listener's port; null without the api role. */
  readonly port: number | null;
  /** null where a parent has the operators' listener. */
  readonly opsPort: number | null;
  readonly health: Health;
  /** Makes background loops poll now, as `Loop` says. */
  wake: Loop['wake'];
  /** Makes readiness fail, before a stop. */
  becomeUnready(): void;
  /** Takes nothing new, finishes the work in progress, and closes everything. */
  stop(): Promise<void>;
  /** The steps that a stop has not closed yet, as in "3 calls". */
  unfinished(): readonly string[];
}

/** The state that readiness reports while the process starts, runs and stops. */
interface Progress {
  unreadyBecause: string | null;
}

/** Makes every part of the service and starts it. The only composition root, with `compose/`. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { config, roles, processes, makeNetwork, registerMore } = options;
  const closing = createClosingSteps();
  const foundation = await openFoundation(options, closing);
  const parts = await createParts(foundation, makeNetwork, closing);
  const progress: Progress = { unreadyBecause: STARTING };
  const health = healthOf(foundation, parts, progress);
  const becomeUnready = () => {
    progress.unreadyBecause = STOPPING;
  };
  const stop = async () => {
    becomeUnready();
    await closing.closeAll();
  };
  try {
    const hasOpsListener = processes === undefined;
    const hasPrograms = hasOpsListener && roles.includes('background');
    const programs = hasPrograms ? await programsOf(config, foundation) : null;
    const ops = { health, programs };
    const opsPort = hasOpsListener ? await openOps(foundation, parts, ops, closing) : null;
    await checkKeys(foundation.db, config);
    await checkDeploymentCell({ ...foundation, actor: 'payreq serve' }, config);
    await checkBankDemo(foundation, config);
    await checkDeploymentMoney(foundation, config);
    await recordPolicy(foundation, config.approvals);
    parts.loops.push(await watchClock(parts, closing));
    let background: Loop | null = null;
    if (roles.includes('background')) {
      background = await startLoops(foundation, parts, processes ?? 1, closing);
      parts.loops.push(background);
    }
    const port = roles.includes('api')
      ? await openPublic(foundation, parts, closing, registerMore)
      : null;
    progress.unreadyBecause = null;
    const wake: Loop['wake'] = (passedMs) => background?.wake(passedMs);
    const { unfinished } = closing;
    return { port, opsPort, health, wake, becomeUnready, stop, unfinished };
  } catch (error) {
    await stop();
    throw error;
  }
}

function healthOf(foundation: Foundation, parts: Parts, progress: Progress): Health {
  const { db, metrics } = foundation;
  const { forwarders, connected, clockWatch, answers } = parts;
  const loops = () => parts.loops.flatMap((loop) => loop.turns());
  metrics.observeLoops(loops);
  return createProcessHealth({
    db,
    metrics,
    loops,
    warning: () => forwarders.warning() ?? connected?.network.warning?.() ?? null,
    facts: {
      version: SERVICE_VERSION,
      simulatedNetwork: connected?.network.isSimulated ?? false,
      cell: foundation.config.cell,
    },
    unreadyBecause: () => progress.unreadyBecause ?? clockWatch.fault() ?? answers.refusal(),
  });
}

async function openOps(
  foundation: Foundation,
  { answers, move }: Parts,
  ops: Pick<OpsAppDeps, 'health' | 'programs'>,
  closing: ClosingSteps,
): Promise<number> {
  const { config, clock, log, metrics } = foundation;
  const { opsToken, opsHost, opsPort, publicApiUrl } = config;
  const { origin } = new URL(publicApiUrl);
  const requestLog = { log, metrics, clock, answers };
  const app = createOpsApp({
    ...ops,
    ...{ clock, origin, requestLog, opsToken, opsHost },
    smsReceipts: smsReceiptDepsOf(foundation, move),
  });
  closing.keep('operators’ listener', () => app.close());
  return listen(app, opsHost, opsPort);
}

async function watchClock({ clockWatch }: Parts, closing: ClosingSteps): Promise<Loop> {
  const loop = await clockWatch.start();
  closing.keep('clock comparison', () => loop.stop());
  return loop;
}

async function startLoops(
  foundation: Foundation,
  parts: Parts,
  senders: number,
  closing: ClosingSteps,
): Promise<Loop> {
  const loop = startBackground(await backgroundDepsOf(foundation, parts, senders));
  closing.drain('background loops', () => loop.stop());
  return loop;
}

async function openPublic(
  foundation: Foundation,
  parts: Parts,
  closing: ClosingSteps,
  registerMore: ServiceOptions['registerMore'],
): Promise<number> {
  const { host, port } = foundation.config;
  closing.keep('change signals', parts.changes.listen());
  const app = createApp(appDepsOf(foundation, parts));
  registerMore?.(app, foundation);
  const unanswered = () => `${app.openCalls.count()} calls`;
  closing.drain('public listener', () => app.close(), unanswered);
  return listen(app, host, port);
}
