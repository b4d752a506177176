import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '../../service/test/support/eventually.ts';
import { PLUGIN } from './put-plugin.ts';

const SHOP = join(PLUGIN, 'shop');
const MEDUSA = join(PLUGIN, 'node_modules', '@medusajs', 'cli', 'cli.js');
/** The plug-in gives the service up after some 50 s. */
const LONGEST_CALL_MS = 120_000;
/** The tables of an empty database take half a minute, and several on a busy machine. */
const LONGEST_COMMAND_MS = 5 * 60_000;
const ADMIN = { email: 'admin@shop.example', password: 'a-password-of-a-proof' };

export interface Seeded {
  readonly publishableKey: string;
  readonly regionId: string;
  readonly shippingOptionId: string;
  readonly variantId: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a proof asserts on what it finds
type Answer = { readonly status: number; readonly json: any };

/** A Medusa of its own process, with the plug-in. */
export interface MedusaShop {
  readonly url: string;
  readonly seeded: Seeded;
  /** A call of the checkout page. */
  store(method: string, path: string, body?: unknown): Promise<Answer>;
  /** A call of the shop's staff. */
  admin(method: string, path: string, body?: unknown): Promise<Answer>;
  /** All that the shop has printed. */
  printed(): string;
  start(): Promise<void>;
  kill(): Promise<void>;
}

export interface MedusaOptions {
  readonly port: number;
  /** An empty database. */
  readonly databaseUrl: string;
  /** The options of each provider by its id. */
  readonly providers: Readonly<Record<string, unknown>>;
}

/** Prepares the database and the goods of a shop, and starts it. */
export async function startMedusaShop(options: MedusaOptions): Promise<MedusaShop> {
  const programs = new MedusaPrograms(options);
  await programs.command('db:migrate');
  const said = await programs.command('exec', './seed.js');
  const seeded: Seeded = JSON.parse(/^SEEDED (.*)$/m.exec(said)?.[1] ?? '');
  await programs.command('user', '--email', ADMIN.email, '--password', ADMIN.password);
  await programs.start();
  const { json: signedIn } = await programs.call('POST', '/auth/user/emailpass', {}, ADMIN);
  return {
    url: programs.url,
    seeded,
    start: () => programs.start(),
    kill: () => programs.kill(),
    printed: () => programs.printed(),
    store: (method, path, body) => {
      const headers = { 'x-publishable-api-key': seeded.publishableKey };
      return programs.call(method, `/store${path}`, headers, body);
    },
    admin: (method, path, body) => {
      const headers = { authorization: `Bearer ${signedIn.token}` };
      return programs.call(method, `/admin${path}`, headers, body);
    },
  };
}

/** The commands of Medusa in the shop's folder, and its server. */
class MedusaPrograms {
  readonly url: string;
  readonly #env: Readonly<Record<string, string>>;
  #output = '';
  #running: ChildProcess | null = null;

  constructor({ port, databaseUrl, providers }: MedusaOptions) {
    this.url = `http://127.0.0.1:${port}`;
    this.#env = {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      NODE_ENV: 'production',
      MEDUSA_DISABLE_TELEMETRY: '1',
      DATABASE_URL: databaseUrl,
      PAYMENT_REQUESTS: JSON.stringify(providers),
      SECRET: 'a-secret-of-a-proof',
      HOST: '127.0.0.1',
      PORT: `${port}`,
    };
    process.once('exit', () => this.#running?.kill('SIGKILL'));
  }

  /** Runs a command to its end. @returns what it printed */
  async command(...args: string[]): Promise<string> {
    const from = this.#output.length;
    const child = this.#spawn(args, { timeout: LONGEST_COMMAND_MS, killSignal: 'SIGKILL' });
    const [code, signal] = await once(child, 'close');
    const said = this.#output.slice(from);
    if (code !== 0) throw new Error(`medusa ${args[0]} ended with ${code ?? signal}: ${said}`);
    return said;
  }

  async start(): Promise<void> {
    const child = this.#spawn(['start']);
    this.#running = child;
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`Medusa ended: ${this.#output.slice(-2_000)}`);
      return (await fetch(`${this.url}/health`)).ok;
    }, 'Medusa');
  }

  async kill(): Promise<void> {
    const child = this.#running;
    this.#running = null;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  async call(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: unknown,
  ): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(LONGEST_CALL_MS),
    });
    const text = await response.text();
    return { status: response.status, json: text.startsWith('{') ? JSON.parse(text) : text };
  }

  printed(): string {
    return this.#output;
  }

  #spawn(args: readonly string[], limits: SpawnOptions = {}): ChildProcess {
    const child = spawn(process.execPath, [MEDUSA, ...args], {
      ...limits,
      cwd: SHOP,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        this.#output += chunk;
      });
    }
    return child;
  }
}
