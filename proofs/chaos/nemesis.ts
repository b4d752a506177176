import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { History } from '../history/history.ts';
import { createRandom, type Random } from '../history/random.ts';
import type { Receiver } from '../history/receiver.ts';
import type { ChaosPostgres } from './chaos-postgres.ts';
import type { FaultKind, PlannedFault } from './plan-faults.ts';
import type { ServiceSlot } from './service-slot.ts';

/** The parts of a run that the nemesis breaks. */
export interface Targets {
  readonly slots: readonly ServiceSlot[];
  readonly postgres: ChaosPostgres;
  readonly receiver: Receiver;
}

export interface NemesisOptions {
  readonly targets: Targets;
  readonly plan: readonly PlannedFault[];
  readonly history: History;
  /** Aborted: heals all faults at once, and injects no more. */
  readonly signal: AbortSignal;
}

const FAKETIME = '/usr/bin/faketime';
const SKEW_HOURS = 2;
const LONGEST_START_MS = 30_000;
const LEAST_DELAY_MS = 30;
const MOST_DELAY_MS = 1_000;
const LOST_SHARE = 0.5;
/** The restarts that may leave no process of a role. */
const OUTAGE_SHARE = 0.3;

/** Heals the fault. */
type Heal = () => unknown;
type Fault = (targets: Targets, planned: PlannedFault, random: Random) => Promise<Done> | Done;
/** The detail is for the history. */
type Done = { readonly detail: string; readonly heal: Heal };

const FAULTS: Readonly<Record<FaultKind, Fault>> = {
  'kill-service': onSlot((slot) => {
    slot.hold();
    return () => slot.release();
  }),
  'pause-service': onSlot((slot) => slot.pause()),
  'skew-clock': async ({ slots }, planned) => {
    const slot = slotOf(slots, planned);
    const hours = planned.way < 0.5 ? -SKEW_HOURS : SKEW_HOURS;
    slot.setClock(hours);
    // The time of this fault counts from the moment at which the process works with the wrong
    // clock.
    await slot.untilUp(LONGEST_START_MS);
    return { detail: `${slot.name} by ${hours} h`, heal: () => slot.setClock(0) };
  },
  'crash-database': async ({ postgres }) => {
    await postgres.crash();
    return { detail: 'SIGKILL', heal: () => postgres.start() };
  },
  'stop-database': async ({ postgres }) => {
    await postgres.stopAtOnce();
    return { detail: 'SIGQUIT', heal: () => postgres.start() };
  },
  'fill-disk': async ({ postgres }) => {
    await postgres.fillDisk?.();
    return {
      detail: 'PostgreSQL’s disk',
      heal() {
        postgres.emptyDisk();
        return postgres.start();
      },
    };
  },
  'cut-connections': onProxy((proxy) => proxy.cut()),
  'delay-connections': onProxy((proxy, { way }) =>
    proxy.delay(LEAST_DELAY_MS * (MOST_DELAY_MS / LEAST_DELAY_MS) ** way),
  ),
  'freeze-connections': onProxy((proxy) => proxy.freeze()),
  'lose-answers': onProxy((proxy, _, random) => proxy.loseAnswers(LOST_SHARE, random)),
  'fail-receiver': ({ receiver }, { way, target }) => {
    const kind = way < 0.4 ? 'error' : way < 0.7 ? 'reset' : 'hang';
    // The share is drawn: half of the webhooks up to all of them.
    receiver.fail({ [kind]: 0.5 + target / 2 });
    return { detail: kind, heal: () => receiver.heal() };
  },
};

/** The faults that this machine does not permit, each with the reason. */
export function listImpossible({ postgres }: Pick<Targets, 'postgres'>): Map<FaultKind, string> {
  const impossible = new Map<FaultKind, string>();
  if (!postgres.fillDisk) {
    impossible.set('fill-disk', 'no tmpfs can be mounted in a mount namespace');
  }
  if (!existsSync(FAKETIME)) impossible.set('skew-clock', 'faketime is not installed');
  return impossible;
}

/** Injects the faults of the plan at their times. Returns when the last fault is healed. */
export async function runNemesis(options: NemesisOptions): Promise<void> {
  const { targets, plan, history, signal } = options;
  const impossible = listImpossible(targets);
  const random = createRandom(history.seed, 'lost answers');
  const startedAtMs = performance.now();
  const running: Promise<void>[] = [];
  for (const planned of plan.filter(({ kind }) => !impossible.has(kind))) {
    await pause(planned.atMs - (performance.now() - startedAtMs), signal);
    if (signal.aborted) break;
    const fault = doFault(options, planned, random);
    // The end of the run throws its failure.
    fault.catch(() => {});
    running.push(fault);
  }
  await Promise.all(running);
}

async function doFault(
  { targets, history, signal }: NemesisOptions,
  planned: PlannedFault,
  random: Random,
): Promise<void> {
  const { kind, forMs } = planned;
  const { detail, heal } = await FAULTS[kind](targets, planned, random);
  history.append({ kind: 'fault', fault: kind, detail: `${detail}, ${forMs} ms` });
  await pause(forMs, signal);
  await heal();
}

function onSlot(fault: (slot: ServiceSlot, planned: PlannedFault) => Heal): Fault {
  return ({ slots }, planned) => {
    const slot = slotOf(slots, planned);
    return { detail: slot.name, heal: fault(slot, planned) };
  };
}

function onProxy(
  fault: (proxy: ServiceSlot['proxy'], planned: PlannedFault, random: Random) => Heal,
): Fault {
  return ({ slots }, planned, random) => {
    const { name, proxy } = slotOf(slots, planned);
    return { detail: name, heal: fault(proxy, planned, random) };
  };
}

/**
 * A process that has yet to start shows no fault; on a slow machine a start takes long. A kill or a
 * wrong clock leaves another process of the role at work, but for some.
 */
function slotOf(slots: readonly ServiceSlot[], planned: PlannedFault): ServiceSlot {
  const { kind, target, way } = planned;
  const up = slots.filter((slot) => slot.isUp());
  const isRestart = kind === 'kill-service' || kind === 'skew-clock';
  const spared = up.filter(({ role }) => up.filter((other) => other.role === role).length > 1);
  const [choice = slots] = [isRestart && way > OUTAGE_SHARE ? spared : up, up].filter(
    (each) => each.length > 0,
  );
  const slot = choice[Math.floor(target * choice.length)];
  if (!slot) throw new Error('There is no process to break.');
  return slot;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await wait(ms, undefined, { signal }).catch(() => {});
}
