import { availableParallelism, cpus, loadavg } from 'node:os';

/** Describes date, machine and load: no figure has a meaning without them. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown';
  const [load = 0] = loadavg();
  const day = new Date().toISOString().slice(0, 10);
  const cores = `${availableParallelism()} cores (${model})`;
  const node = `Node ${process.versions.node}`;
  return `${day}, ${cores}, ${node}, load average ${load.toFixed(1)} at the end`;
}
