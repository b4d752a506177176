import { randomBytes } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { systemClock } from '#lib/clock.ts';
import { newSigningSecret } from '#merchants/new-secret.ts';
import {
  ALL_EVENT_TYPES,
  EVENT_TYPES,
  SPECIFIED_EVENT_TYPES,
} from '#webhooks/model/event-types.ts';
import { type FeedEvent, followFeed } from './follow-feed.ts';
import { createListenCursor } from './listen-cursor.ts';
import {
  type AccessOptions,
  addAccessOptions,
  addListenerOptions,
  findListener,
  type ListenerOptions,
  readAccess,
  readLocalAuthority,
} from './merchant-access.ts';
import { createMerchantApi } from './merchant-api.ts';
import {
  createWebhookPost,
  type ListenerSecrets,
  type PostedWebhook,
  webhookHeaders,
} from './post-webhook.ts';

interface ListenOptions extends AccessOptions, ListenerOptions {
  readonly forwardTo: string;
  readonly events?: readonly string[];
  readonly after?: string;
  readonly latest?: boolean;
  readonly json?: boolean;
}

/** `payreq listen`: brings a merchant's events to a listener that nobody else can reach. */
export function listenCommand(invocation: Invocation): Command {
  const command = new Command('listen')
    .description(
      'follow the events of a merchant and forward each event, as a webhook, to a listener on ' +
        'this machine; needs no public address and no settings. The listener verifies with the ' +
        'credentials that are printed; default: those of the local merchant, else new ones',
    )
    .requiredOption('--forward-to <url>', 'the URL of the listener', httpUrl)
    .addOption(
      new Option(
        '--events <types>',
        `these event types, as in ${EVENT_TYPES.join(',')}, or * for all; default: ` +
          SPECIFIED_EVENT_TYPES.join(','),
      ).argParser(types),
    )
    .option('--after <cursor>', 'begin after this place in the feed')
    .option('--latest', 'begin with the next event, not after the end of the last run')
    .option('--json', 'print one JSON document a line');
  return addListenerOptions(addAccessOptions(command, invocation), invocation).action(
    (options: ListenOptions) => listen(invocation, options),
  );
}

async function listen(invocation: Invocation, options: ListenOptions): Promise<void> {
  const access = await readAccess(options);
  const secrets = (await findListener(options)) ?? sessionSecrets();
  const kept = createListenCursor(options.localDir, access);
  const after = options.after ?? ((!options.latest && (await kept.read())) || 'latest');
  const stopping = invocation.interruption();
  const api = createMerchantApi(access, stopping);
  const post = createWebhookPost(options.forwardTo, await readLocalAuthority(options));
  const say = speaker(invocation, options.json ?? false);
  say({ type: 'started', forwardTo: options.forwardTo, listener: secrets });

  const onTrouble = (reason: string) => say({ type: 'trouble', reason });
  let hasBegun = false;
  const eventTypes = options.events ?? null;
  const following = followFeed(api, { after, eventTypes, signal: stopping, onTrouble });
  for await (const { events, cursor } of following) {
    if (!hasBegun) say({ type: 'listening', resumed: after !== 'latest' });
    hasBegun = true;
    for (const event of events) {
      if (stopping.aborted) return;
      const { id, body } = event;
      say(answered(event, await post(webhookHeaders(secrets, { id, body }), body)));
    }
    // After the forwarding: an interrupted page comes again, as a webhook may.
    await kept.keep(cursor);
  }
}

/** Made for this run, where no local merchant has lasting ones. */
function sessionSecrets(): ListenerSecrets {
  return {
    username: 'payreq_listen',
    password: randomBytes(24).toString('base64url'),
    signingSecret: newSigningSecret(),
  };
}

type Said =
  | { readonly type: 'started'; readonly forwardTo: string; readonly listener: ListenerSecrets }
  | { readonly type: 'listening'; readonly resumed: boolean }
  | { readonly type: 'trouble'; readonly reason: string }
  | ReturnType<typeof answered>;

function answered(event: FeedEvent, posted: PostedWebhook) {
  return {
    type: 'forwarded',
    at: systemClock.now().toISOString(),
    eventType: event.eventType,
    eventId: event.id,
    // A refund names its payment request.
    paymentRequestId: event.resource.paymentRequestId ?? event.resource.id,
    status: event.resource.status,
    answer: posted,
  } as const;
}

function speaker({ stdout }: Invocation, asJson: boolean) {
  return (said: Said): void => {
    stdout.write(`${asJson ? JSON.stringify(said) : inWords(said)}\n`);
  };
}

function inWords(said: Said): string {
  switch (said.type) {
    case 'started':
      return [
        `Forwarding to ${said.forwardTo}. Your listener verifies with`,
        `  username        ${said.listener.username}`,
        `  password        ${said.listener.password}`,
        `  signing secret  ${said.listener.signingSecret}`,
      ].join('\n');
    case 'listening':
      return said.resumed
        ? 'Going on where the last run ended (--latest skips what came since). Ctrl-C ends.'
        : 'Waiting for events. Ctrl-C ends.';
    case 'trouble':
      return `The service cannot be followed: ${said.reason}. Trying again.`;
    case 'forwarded': {
      const { status, text, durationMs } = said.answer;
      const about = `${said.eventType} ${said.status} ${said.paymentRequestId}`;
      const answer = `${status ?? 'no answer'} ${text} (${durationMs} ms)`;
      return `${said.at.slice(11, 19)}  ${about}  →  ${answer}`;
    }
  }
}

function types(text: string): readonly string[] {
  const asked = text.split(',').map((part) => part.trim());
  const known: readonly string[] = EVENT_TYPES;
  if (text === ALL_EVENT_TYPES || asked.every((type) => known.includes(type))) return asked;
  throw new InvalidArgumentError(`Give *, or some of ${known.join(', ')}, separated by commas.`);
}

/** Reads the address of a listener: HTTP is enough for one on this machine. */
export function httpUrl(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && !url.username) return url.href;
  throw new InvalidArgumentError('Give an address that begins with http:// or https://.');
}
