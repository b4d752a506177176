import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Area } from './areas.ts';
import type { Verdict } from './mutant.ts';

/** A test or a seed takes some 0.1 s. A mutant that makes a loop endless is silent for longer. */
const SILENT_MS = 60_000;

const UNREACHED = { verdict: 'UNREACHED', by: null, isLate: false } as const;

export interface TriedInProcess {
  readonly verdict: Verdict;
  readonly by: string | null;
  readonly isLate: boolean;
}

/**
 * A process that tries one mutant after the other by the fast tests and the simulations. A mutant
 * that makes it hang or end is killed, and another process tries the next.
 */
export class TryingProcess {
  readonly #folder: string;
  readonly #area: Pick<Area, 'tests' | 'simulations'>;
  readonly #stop: AbortSignal;
  #child: ChildProcess | null = null;

  constructor(folder: string, area: Pick<Area, 'tests' | 'simulations'>, stop: AbortSignal) {
    this.#folder = folder;
    this.#area = area;
    this.#stop = stop;
  }

  /** @returns null: the run is stopped. @throws Error: a run fails without a mutant */
  async try(id: string): Promise<TriedInProcess | null> {
    const { tests, simulations } = this.#area;
    if (tests.length + simulations.length === 0) return UNREACHED;
    const isFresh = this.#child === null;
    const told = await this.#ask(id);
    if (this.#stop.aborted) return null;
    if (told !== 'DIRTY') return told;
    // The mutant has left something behind, so that the process tells no more.
    this.end();
    if (isFresh) return { verdict: 'KILLED', by: 'a run that fails again', isLate: false };
    return this.try(id);
  }

  end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  #ask(id: string): Promise<TriedInProcess | 'DIRTY'> {
    this.#child ??= this.#start();
    const child = this.#child;
    const { stdin, stdout } = child;
    if (!stdin || !stdout) throw new Error('the trying process has no pipes');
    return new Promise((resolve, reject) => {
      let isBegun = false;
      const lines = createInterface({ input: stdout });
      const end = (told: TriedInProcess | 'DIRTY') => {
        clearTimeout(silence);
        child.off('exit', onExit);
        this.#stop.removeEventListener('abort', onStop);
        lines.close();
        resolve(told);
      };
      const onSilence = () => {
        this.end();
        end({ verdict: 'KILLED', by: 'time limit', isLate: true });
      };
      const onExit = () => {
        this.#child = null;
        clearTimeout(silence);
        // Before the mutant is on, a run itself has failed.
        if (!isBegun && !this.#stop.aborted) reject(new Error('the trying process has ended'));
        else end({ verdict: 'KILLED', by: 'the end of the process', isLate: false });
      };
      const onStop = () => this.end();
      let silence = setTimeout(onSilence, SILENT_MS);
      child.on('exit', onExit);
      this.#stop.addEventListener('abort', onStop);
      lines.on('line', (line) => {
        clearTimeout(silence);
        silence = setTimeout(onSilence, SILENT_MS);
        if (line === 'START') isBegun = true;
        else if (line === 'DIRTY') end('DIRTY');
        else if (line === 'SURVIVED' || line === 'UNREACHED') end({ ...UNREACHED, verdict: line });
        else if (line.startsWith('KILLED ')) {
          end({ verdict: 'KILLED', by: line.slice('KILLED '.length), isLate: false });
        }
      });
      stdin.write(`${id}\n`);
    });
  }

  #start(): ChildProcess {
    const script = join(this.#folder, 'proofs/mutation/try-in-process.ts');
    const { tests, simulations } = this.#area;
    const child = spawn(process.execPath, [script, simulations.join(','), tests.join(',')], {
      cwd: this.#folder,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin?.on('error', () => {});
    return child;
  }
}
