import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A process of the bench. It ends when the bench ends, even after SIGKILL. */
export interface Child {
  readonly pid: number;
  /** The first message: the child sends it when it is ready. */
  readonly firstMessage: unknown;
  /** Waits for the next message; `moreMs` is added to the time limit of an answer. */
  nextMessage<Message>(moreMs?: number): Promise<Message>;
  /** Sends a message; the child's next message is the answer. */
  ask<Answer>(message: object): Promise<Answer>;
  /** Keeps the bench running for this child, as after the start. */
  ref(): void;
  /** Lets the bench end although this child runs. */
  unref(): void;
  end(): Promise<void>;
}

/** The slowest start is the first start of the service, which runs all migrations. */
const ANSWER_TIMEOUT_MS = 60_000;

// A signal ends a process without its `exit` event; this exit ends the children too. After SIGKILL
// the children see their channel close.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Starts a Node.js script and waits for its first message. */
export async function startChild(script: string, args: readonly string[] = []): Promise<Child> {
  const child = spawnNode([script, ...args]);
  const nextMessage = receiverOf(child, script);
  const firstMessage = await nextMessage();
  const channel = child.channel as { ref?(): void; unref?(): void } | null;
  return {
    pid: child.pid ?? 0,
    firstMessage,
    nextMessage: async <Message>(moreMs = 0) => (await nextMessage(moreMs)) as Message,
    async ask<Answer>(message: object) {
      const answer = nextMessage();
      child.send(message);
      return (await answer) as Answer;
    },
    ref() {
      child.ref();
      channel?.ref?.();
    },
    unref() {
      child.unref();
      channel?.unref?.();
    },
    end: () => endChild(child),
  };
}

/** Starts Node.js with a message channel; its environment is PATH and `env`. */
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
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

function receiverOf(child: ChildProcess, script: string) {
  return async (moreMs = 0) => {
    const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MS + moreMs);
    const exited = new AbortController();
    const message = once(child, 'message', { signal: AbortSignal.any([timeout, exited.signal]) });
    const onExit = () => exited.abort();
    child.once('exit', onExit);
    try {
      return (await message)[0] as unknown;
    } catch (error) {
      const reason = timeout.aborted ? 'did not answer in time' : 'ended early';
      throw new Error(`${script} ${reason}`, { cause: error });
    } finally {
      child.off('exit', onExit);
    }
  };
}
