import Fastify from 'fastify';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { registerConsole } from '#console/register-console.ts';
import type { ConsoleRoute } from '#console/shell/console-routes.ts';

/** Stands for every part that routes take when they are registered; no route is called. */
// biome-ignore lint/suspicious/noExplicitAny: any part of any shape
const anything: any = new Proxy(() => anything, {
  get: (_target, name) => (name === 'then' ? undefined : anything),
  apply: () => anything,
});

/** Every page and form of the console, of both environments and with all networks. */
export async function readConsoleRoutes(): Promise<readonly ConsoleRoute[]> {
  const known: Partial<ConsoleDeps> = {
    environment: 'sandbox',
    origin: 'https://pay.test',
    timeZone: 'UTC',
    currency: 'CAD',
    // Lists take it out of a copy, which has the known parts alone.
    settings: anything,
  };
  const deps = new Proxy(known, { get: (all, name) => Reflect.get(all, name) ?? anything });
  const app = Fastify();
  registerConsole(app, deps as Parameters<typeof registerConsole>[1]);
  await app.ready();
  return app.consoleRoutes ?? [];
}
