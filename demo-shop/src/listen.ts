/**
 * `npm run listener`: a webhook listener to try the sandbox with. It takes the addresses and
 * credentials that `npm start` wrote and prints every webhook it believes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWebhookListener } from './webhook-listener.ts';

const LOCAL_DIR = process.env.LOCAL_DIR ?? '.local';
const file = join(LOCAL_DIR, 'credentials.json');

function readCredentials() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    console.error(`${file} cannot be read: run npm start first, and leave it running.`);
    process.exit(1);
  }
}

const { sandbox, tls } = readCredentials();
const port = Number(process.env.PORT ?? Number(process.env.BASE_PORT ?? 4000) + 3);

const listener = createWebhookListener({
  credentials: sandbox.listener,
  tls,
  onEvent: (event) => {
    console.log(`\n${event.eventType}: ${event.resource.id} is ${event.resource.status}`);
    console.log(JSON.stringify(event, null, 2));
  },
  onRefused: (error) => console.log(`\nRefused with 401: ${error.message}`),
});

listener.on('error', (error) => {
  console.error(`The listener cannot use port ${port}: ${error.message}`);
  process.exit(1);
});
listener.listen(port, '127.0.0.1', () => {
  console.log(`Listening for the sandbox's webhooks on https://localhost:${port}/webhooks`);
});
