import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../lib/failure.mjs';
import { listProcesses } from '../lib/process-list.mjs';

// A process that the last line of a test stops needs a moment to end.
const OWN_END_MS = 2_000;
const POLL_MS = 50;

/**
 * Ends what is left of a process group whose leader has ended.
 * @param {number} group the leader's pid
 * @returns {Promise<string[]>} the processes that had to be killed, as `pid command`
 */
export async function endStrays(group) {
  const giveUpAt = Date.now() + OWN_END_MS;
  while (membersOf(group).length > 0 && Date.now() < giveUpAt) await sleep(POLL_MS);
  const strays = membersOf(group);
  try {
    if (strays.length > 0) process.kill(-group, 'SIGKILL');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
  return strays;
}

/** @param {number} group @returns {string[]} */
function membersOf(group) {
  const members = listProcesses().filter((listed) => listed.group === group);
  return members.map(({ pid, command }) => `${pid} ${command}`);
}
