import { createInterface } from 'node:readline';
import type { HostAnswer, HostOrder } from './refused-serve.ts';
import { runCli } from './run-cli.ts';

for await (const line of createInterface(process.stdin)) {
  const { args, env }: HostOrder = JSON.parse(line);
  const ran = await runCli(args, env, { isRefused: true });
  process.stdout.write(`${JSON.stringify({ ran } satisfies HostAnswer)}\n`);
}
// A start that was refused may have left a connection.
process.exit();
