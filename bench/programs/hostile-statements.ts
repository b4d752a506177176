/**
 * `npm run bench -- hostile-statements`: processor seconds that the reader of bank statements
 * spends on files of 24 MB that are made to cost as much as they can, and the longest time that
 * other work of the process waits. Parts of names run only these kinds; `--json`.
 */
import { setImmediate } from 'node:timers/promises';
import { messageNameOf } from '#e-transfer/bank-transfer/statements/message-name.ts';
import { readParts } from '#e-transfer/bank-transfer/statements/read-statements.ts';
import { StatementFault } from '#e-transfer/bank-transfer/statements/statement-fault.ts';
import { HOSTILE_STATEMENTS } from '../../service/test/support/bank/hostile-statements.ts';
import { describeMachine } from '../describe-machine.ts';

const args = process.argv.slice(2);
const nameParts = args.filter((arg) => !arg.startsWith('--'));
const isAsked = (name: string) =>
  nameParts.length === 0 || nameParts.some((part) => name.includes(part));
const lines = [];
for (const [name, write] of Object.entries(HOSTILE_STATEMENTS)) {
  if (isAsked(name)) lines.push({ name, ...(await measure(write())) });
}
const machine = describeMachine();
if (args.includes('--json')) console.log(JSON.stringify({ machine, lines }, null, 2));
else {
  console.table(lines);
  console.log(machine);
}

async function measure(bytes: Buffer) {
  const start = process.cpuUsage();
  let step = start;
  let longestMs = 0;
  let fault = '';
  const endStep = () => {
    longestMs = Math.max(longestMs, millisecondsSince(step));
    step = process.cpuUsage();
  };
  let isReading = true;
  const watching = (async () => {
    while (isReading) {
      await setImmediate();
      endStep();
    }
  })();
  try {
    messageNameOf(bytes);
    endStep();
    for await (const _parts of readParts(bytes));
  } catch (error) {
    if (!(error instanceof StatementFault)) throw error;
    fault = error.message;
  }
  const seconds = (millisecondsSince(start) / 1_000).toFixed(2);
  isReading = false;
  await watching;
  return { seconds, longestMs: Math.round(longestMs), fault };
}

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
