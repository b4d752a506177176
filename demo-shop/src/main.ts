/** The demo shop of `npm start`, on the production environment, at BASE_PORT. */
import { join } from 'node:path';
import { startInbox } from './inbox/local-inbox.ts';
import { readLocalSettings } from './local-settings.ts';
import { readStaffKey } from './refunds/staff-access.ts';
import { startShop } from './start-shop.ts';

/** The distance of the webhook listener's port from the shop's port (contract §2). */
const WEBHOOK_PORT_OFFSET = 2;
/** The distance of the local mail server's port. */
const MAIL_PORT_OFFSET = 6;
/** The limit of a stop: `npm start` waits for the shop. */
const STOP_MS = 5_000;

// The orders hold names and addresses: only the owner reads the file.
process.umask(0o077);

const { localDir, basePort, currency, sandbox, production, tls } = readLocalSettings(process.env);
const inbox = await startInbox(basePort + MAIL_PORT_OFFSET);
const shop = await startShop({
  port: basePort,
  shopUrl: `http://localhost:${basePort}`,
  webhookPort: basePort + WEBHOOK_PORT_OFFSET,
  ordersPath: join(localDir, 'shop.sqlite'),
  production,
  staffKey: readStaffKey(localDir),
  currency,
  tls,
  inbox,
  sandboxDocsUrl: `${new URL(sandbox.baseUrl).origin}/docs`,
});
console.log(`The demo shop is open: http://localhost:${shop.port}`);

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(1), STOP_MS).unref();
  await Promise.all([shop.stop(), inbox.stop()]);
  process.exit(0);
}

process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// The parent process has a channel to the shop; without the parent the shop ends too.
process.on('disconnect', stop);
