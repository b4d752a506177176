/**
 * `npm run listener [-- URL]`: a webhook listener for the sandbox. The program uses the addresses
 * and credentials that `npm start` wrote, and prints every verified webhook. The three settings of
 * `payreq verify-listener` give the credentials of another endpoint.
 */
import { readLocalSettings } from './local-settings.ts';
import { readListenerPort, usualListenerPort } from './payment/listener-port.ts';
import { createWebhookListener, WEBHOOK_PATH } from './payment/webhook-listener.ts';

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

/** Returns the result of `read`; a setting that `read` refuses ends the program. */
function orFail<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

const { sandbox, tls, basePort } = orFail(() => readLocalSettings(process.env));
const [, , url] = process.argv;
const port =
  url === undefined
    ? Number(process.env.PORT || usualListenerPort(basePort))
    : orFail(() => readListenerPort(url, basePort));
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
