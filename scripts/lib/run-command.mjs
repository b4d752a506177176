import { spawn } from 'node:child_process';
import { Failure } from './failure.mjs';

// A failing program prints a few lines; a program that never stops printing must not fill the
// memory.
const OUTPUT_KEPT = 256 * 1024;

/**
 * Runs a program to its end and collects what it prints.
 * @param {string} program @param {readonly string[]} args
 * @param {{ signal: AbortSignal, timeoutMs: number, env?: NodeJS.ProcessEnv, cwd?: string,
 *   uid?: number | undefined, gid?: number | undefined }} options signal: stops it
 * @returns {Promise<{ exitCode: number, stdout: string, stderr: string }>}
 */
export function runCommand(program, args, { signal, timeoutMs, ...options }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...definedOnly(options),
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout = (stdout + chunk).slice(-OUTPUT_KEPT);
    });
    child.stderr.on('data', (chunk) => {
      stderr = (stderr + chunk).slice(-OUTPUT_KEPT);
    });
    /** @type {Error | undefined} */
    let failure;
    child.on('error', (error) => {
      if (child.pid === undefined) reject(error);
      failure = error;
    });
    child.on('close', (code) => {
      if (signal.aborted) return reject(signal.reason);
      if (!failure) return resolve({ exitCode: code ?? 1, stdout, stderr });
      const seconds = timeoutMs / 1000;
      reject(new Failure(`${program} has not ended within ${seconds} s.`, { cause: failure }));
    });
  });
}

/**
 * @template {object} T
 * @param {T} options @returns {Partial<T>} without the members that are undefined
 */
export function definedOnly(options) {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return /** @type {Partial<T>} */ (Object.fromEntries(entries));
}
