import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Simulation } from './areas.ts';
import type { Verdict } from './mutant.ts';

/** A seed takes some 0.1 s. A mutant that makes a loop endless is silent for longer. */
const SILENT_MS = 60_000;

export type Simulated = { readonly verdict: Verdict; readonly isLate: boolean };

/**
 * A process that tries one mutant after the other by the simulations. A mutant that makes it hang
 * or end is killed, and another process tries the next.
 */
export class SimulationProcess {
  readonly #folder: string;
  readonly #simulations: readonly Simulation[];
  readonly #stop: AbortSignal;
  #child: ChildProcess | null = null;

  constructor(folder: string, simulations: readonly Simulation[], stop: AbortSignal) {
    this.#folder = folder;
    this.#simulations = simulations;
    this.#stop = stop;
  }

  /** @returns null: the run is stopped. @throws Error: the simulation fails without a mutant */
  async try(id: string): Promise<Simulated | null> {
    if (this.#simulations.length === 0) return { verdict: 'UNREACHED', isLate: false };
    const isFresh = this.#child === null;
    const told = await this.#ask(id);
    if (this.#stop.aborted) return null;
    if (told !== 'DIRTY') return told;
    // The mutant has left something behind, so that the process tells no more.
    this.end();
    if (isFresh) return { verdict: 'KILLED', isLate: false };
    return this.try(id);
  }

  end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  #ask(id: string): Promise<Simulated | 'DIRTY'> {
    this.#child ??= this.#start();
    const child = this.#child;
    const { stdin, stdout } = child;
    if (!stdin || !stdout) throw new Error('the simulation has no pipes');
    return new Promise((resolve, reject) => {
      let isBegun = false;
      const lines = createInterface({ input: stdout });
      const end = (told: Simulated | 'DIRTY') => {
        clearTimeout(silence);
        child.off('exit', onExit);
        this.#stop.removeEventListener('abort', onStop);
        lines.close();
        resolve(told);
      };
      const onSilence = () => {
        this.end();
        end({ verdict: 'KILLED', isLate: true });
      };
      const onExit = () => {
        this.#child = null;
        clearTimeout(silence);
        // Before the mutant is on, the simulation itself has failed.
        if (!isBegun && !this.#stop.aborted) reject(new Error('the simulation has ended'));
        else end({ verdict: 'KILLED', isLate: false });
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
        else if (line !== 'SEED') end({ verdict: line as Verdict, isLate: false });
      });
      stdin.write(`${id}\n`);
    });
  }

  #start(): ChildProcess {
    const script = join(this.#folder, 'proofs/mutation/simulate-mutants.ts');
    const child = spawn(process.execPath, [script, this.#simulations.join(',')], {
      cwd: this.#folder,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin?.on('error', () => {});
    return child;
  }
}
