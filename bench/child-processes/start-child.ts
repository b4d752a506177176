import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A process of the measurements; it ends with us, however we end. */
export interface Child {
  readonly pid: number;
  /** What it said when it was ready. */
  readonly greeting: unknown;
  /** The next message that it sends by itself, which may take some time more than an answer. */
  told<Message>(moreMs?: number): Promise<Message>;
  /** Whether we go on running for its sake; at first, we do. */
  hold(isHeld: boolean): void;
  /** Sends a message; the child's next one is the answer. */
  ask<Answer>(message: object): Promise<Answer>;
  end(): Promise<void>;
}

/** The slowest start is the service's first one, with all its migrations. */
const PATIENCE_MS = 60_000;

// A signal's own way to end a process tells nobody; this one ends the children too. Those that we
// leave behind when we are killed see their channel close.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a Node.js script that says `ready`, or something else, when it is. */
export async function startChild(
  script: string,
  args: readonly string[] = [],
  { env }: ChildOptions = {},
): Promise<Child> {
  const child = spawnNode([script, ...args], env);
  const asked = answerOf(child, script);
  const greeting = await asked();
  return {
    pid: child.pid ?? 0,
    greeting,
    told: async <Message>(moreMs = 0) => (await asked(moreMs)) as Message,
    hold(isHeld) {
      const channel = child.channel as { ref?(): void; unref?(): void } | null;
      if (isHeld) child.ref();
      else child.unref();
      if (isHeld) channel?.ref?.();
      else channel?.unref?.();
    },
    async ask<Answer>(message: object) {
      const answer = asked();
      child.send(message);
      return (await answer) as Answer;
    },
    end: () => endChild(child),
  };
}

/** Starts Node.js with a channel for messages and nothing but our PATH in its environment. */
export function spawnNode(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = once(child, 'exit');
  child.kill('SIGTERM');
  await over;
}

function answerOf(child: ChildProcess, script: string) {
  return async (moreMs = 0) => {
    const signal = AbortSignal.timeout(PATIENCE_MS + moreMs);
    const ended = new AbortController();
    const answer = once(child, 'message', { signal: AbortSignal.any([signal, ended.signal]) });
    const onExit = () => ended.abort();
    child.once('exit', onExit);
    try {
      return (await answer)[0] as unknown;
    } catch (error) {
      const why = signal.aborted ? 'did not answer in time' : 'ended early';
      throw new Error(`${script} ${why}`, { cause: error });
    } finally {
      child.off('exit', onExit);
    }
  };
}
