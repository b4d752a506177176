/** The pause between two looks at the process's CPU time. */
const LOOK_MS = 1_000;
/**
 * CPU time between two looks. A process at rest takes some 20 ms a second for its loops. A process
 * with more work has calls, which the collection would hold up.
 */
const IDLE_CPU_MS = 50;
/** A process that was busy for a minute needs a large young heap. */
const MOST_LOOKS = 60;

export interface StartMemory {
  /** User and system time of the process so far. */
  readonly cpuMs: () => number;
  /** Collects the heap, and gives free pages back to the system. */
  readonly collect: () => void;
}

/**
 * Collects the heap once, when the process is idle for a second after its start. Modules and
 * schemas live on, so that V8 doubles its young heap to the limit (16 MB) while the service starts.
 * V8 keeps these pages, and its own memory reducer starts only after a long rest. The collection
 * takes some 60 ms. Calls make the young heap grow again.
 */
export function freeStartMemory({ cpuMs, collect }: StartMemory): void {
  let before = cpuMs();
  let looks = 0;
  const timer = setInterval(() => {
    looks += 1;
    const now = cpuMs();
    const isIdle = now - before <= IDLE_CPU_MS;
    before = now;
    if (!isIdle && looks < MOST_LOOKS) return;
    clearInterval(timer);
    if (isIdle) collect();
  }, LOOK_MS);
  timer.unref();
}

/** This process; null without `--expose-gc` (node-memory-flags). */
export function startMemoryOfProcess(): StartMemory | null {
  const { gc } = globalThis;
  if (!gc) return null;
  return {
    cpuMs() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
    collect: () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  };
}
