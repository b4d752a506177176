/** The demo shop, as `npm start` runs it: on the production environment, at BASE_PORT. */
import { join } from 'node:path';
import { readLocalSettings } from './local-settings.ts';
import { startShop } from './start-shop.ts';

/** The port of the webhook listener, counted from the shop's own port (contract §2). */
const WEBHOOK_PORT_OFFSET = 2;
/** The stopping process waits for the shop. */
const STOP_MS = 5_000;

// The orders hold names and addresses: only the owner reads the file.
process.umask(0o077);

const { localDir, basePort, sandbox, production, tls } = readLocalSettings(process.env);
const shop = await startShop({
  port: basePort,
  webhookPort: basePort + WEBHOOK_PORT_OFFSET,
  ordersPath: join(localDir, 'shop.sqlite'),
  ...{ production, tls },
  sandboxDocsUrl: `${new URL(sandbox.baseUrl).origin}/docs`,
});
console.log(`The demo shop is open: http://localhost:${shop.port}`);

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(1), STOP_MS).unref();
  await shop.stop();
  process.exit(0);
}

process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// The starting process has a channel to the shop; without it the shop would outlive everything
// else.
process.on('disconnect', stop);
