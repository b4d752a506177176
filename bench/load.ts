import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What one burst of load was like. */
export interface Load {
  /** Good answers a second, over the whole burst. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers of another status than expected; a burst with any does not count. */
  readonly failures: number;
}

export interface LoadRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Every `[<id>]` in a header becomes a number of its own. */
  readonly isNumbered?: boolean;
  readonly connections: number;
  readonly seconds: number;
  readonly expectedStatus: number;
  /** Requests a second over all connections; as many as can be when left out. */
  readonly rate?: number;
}

const GENERATOR = fileURLToPath(new URL('load-generator.ts', import.meta.url));

/** Runs one burst from a process of its own, so that it shares no event loop with what it loads. */
export async function generateLoad(request: LoadRequest): Promise<Load> {
  const child = spawn(process.execPath, [GENERATOR], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(request));
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  const load = JSON.parse(output) as Load;
  if (load.failures > 0) {
    throw new Error(`${request.method} ${request.url}: ${load.failures} answers were not good`);
  }
  return load;
}
