/**
 * `npm run listener [-- URL]`: a webhook listener for the sandbox. The program uses the addresses
 * and credentials that `npm start` wrote, and prints every verified webhook. The three settings of
 * `payreq verify-listener` give the credentials of another endpoint.
 */
import { type LocalSettings, readLocalSettings } from './local-settings.ts';
import { createWebhookListener, WEBHOOK_PATH } from './payment/webhook-listener.ts';

/** The next port after the shop's own listener, which receives production's webhooks. */
const PORT_OFFSET = 3;

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

function settings(): LocalSettings {
  try {
    return readLocalSettings(process.env);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

/** The port of the URL that is given as an argument. */
function portOf(url: string): number {
  const { protocol, hostname, port, pathname } = URL.parse(url) ?? {};
  const isOurs = protocol === 'https:' && hostname === 'localhost' && pathname === WEBHOOK_PATH;
  if (isOurs && port) return Number(port);
  return fail(`Give the URL of this machine as in https://localhost:4003${WEBHOOK_PATH}.`);
}

const { sandbox, tls, basePort } = settings();
const [, , url] = process.argv;
const port = url === undefined ? Number(process.env.PORT || basePort + PORT_OFFSET) : portOf(url);
const {
  PAYREQ_LISTENER_USERNAME: username,
  PAYREQ_LISTENER_PASSWORD: password,
  PAYREQ_SIGNING_SECRET: signingSecret,
} = process.env;
const credentials =
  username && password && signingSecret ? { username, password, signingSecret } : sandbox.listener;
/** A real shop stores the ids in its database, with the order. */
const seen = new Set<string>();

const listener = createWebhookListener({
  credentials,
  tls,
  onEvent: (event) => {
    if (seen.has(event.id)) {
      console.log(`\nA repeat of ${event.id}, ignored`);
      return;
    }
    seen.add(event.id);
    console.log(`\n${event.eventType}: ${event.resource.id} is ${event.resource.status}`);
    console.log(JSON.stringify(event, null, 2));
  },
  onRefused: (error) => console.log(`\nRefused with 401: ${error.message}`),
});

listener.on('error', (error) => fail(`The listener cannot use port ${port}: ${error.message}`));
listener.listen(port, '127.0.0.1', () => {
  console.log(`Listening for the sandbox's webhooks on https://localhost:${port}${WEBHOOK_PATH}`);
});
