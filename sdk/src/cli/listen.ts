import { randomBytes } from 'node:crypto';
import type { AnyWebhookEventType } from '../webhooks/event.ts';
import { newSigningSecret } from '../webhooks/signature.ts';
import { withoutControls } from './align-columns.ts';
import { type FeedEvent, followFeed } from './follow-feed.ts';
import { createListenCursor } from './listen-cursor.ts';
import {
  ACCESS_INPUTS,
  findListener,
  LISTENER_INPUTS,
  readAccess,
  readLocalAuthority,
} from './merchant-access.ts';
import { createMerchantApi } from './merchant-api.ts';
import {
  createWebhookPost,
  httpUrl,
  type ListenerSecrets,
  type PostedWebhook,
  webhookHeaders,
} from './post-webhook.ts';
import { defineTool, flag, InputFault, option, type ToolInput, type ToolShell } from './tool.ts';

/** Whether the feed shows each type unasked; the service's own table is tested against this. */
export const EVENT_TYPES = {
  'PAYMENT-COMPLETED': true,
  'PAYMENT-FAILED': true,
  'PAYMENT-RETURNED': false,
  'REFUND-COMPLETED': false,
  'REFUND-FAILED': false,
  'MESSAGE-UNDELIVERED': false,
} as const satisfies Readonly<Record<AnyWebhookEventType, boolean>>;
const KNOWN_TYPES = Object.keys(EVENT_TYPES);
const UNASKED_TYPES = Object.entries(EVENT_TYPES).flatMap(([type, isShown]) =>
  isShown ? [type] : [],
);

/** Brings a merchant's events to a listener that only this machine can reach. */
export const listen = defineTool({
  name: 'listen',
  summary:
    'follow the events of a merchant and forward each event, as a webhook, to a listener on ' +
    'this machine; needs no public address and no settings. The listener verifies with the ' +
    'credentials that are printed; default: those of the local merchant, else new ones',
  inputs: {
    forwardTo: {
      placeholder: '<url>',
      summary: 'the URL of the listener',
      isRequired: true,
      read: httpUrl,
    } satisfies ToolInput<string>,
    events: option(
      '<types>',
      `these event types, as in ${KNOWN_TYPES.join(',')}, or * for all; default: ` +
        UNASKED_TYPES.join(','),
      readTypes,
    ),
    after: option('<cursor>', 'begin after this place in the feed'),
    latest: flag('begin with the next event, not after the end of the last run'),
    json: flag('print one JSON document a line'),
    ...ACCESS_INPUTS,
    ...LISTENER_INPUTS,
  },
  async run(options, shell) {
    const { forwardTo, events: eventTypes } = options;
    const access = await readAccess(options);
    const secrets = (await findListener(options)) ?? sessionSecrets();
    const kept = createListenCursor(options.localDir, access);
    const after = options.after ?? ((!options.latest && (await kept.read())) || 'latest');
    const stopping = shell.interruption();
    const api = createMerchantApi(access, stopping);
    const post = createWebhookPost(forwardTo, await readLocalAuthority(options));
    const say = speaker(shell, options.json);
    say({ type: 'started', forwardTo, listener: secrets });

    const onTrouble = (reason: string) => say({ type: 'trouble', reason });
    let hasBegun = false;
    const following = followFeed(api, { after, eventTypes, signal: stopping, onTrouble });
    for await (const { events, cursor } of following) {
      if (!hasBegun) say({ type: 'listening', resumed: after !== 'latest' });
      hasBegun = true;
      for (const event of events) {
        if (stopping.aborted) return null;
        const { id, body } = event;
        say(answered(event, await post(await webhookHeaders(secrets, { id, body }), body)));
      }
      // After the forwarding: an interrupted page comes again, as a webhook may.
      await kept.keep(cursor);
    }
    return null;
  },
});

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
    at: new Date().toISOString(),
    eventType: event.eventType,
    eventId: event.id,
    // A refund names its payment request.
    paymentRequestId: event.resource.paymentRequestId ?? event.resource.id,
    status: event.resource.status,
    answer: posted,
  } as const;
}

function speaker({ stdout }: ToolShell, asJson: boolean) {
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
      return withoutControls(`${said.at.slice(11, 19)}  ${about}  →  ${answer}`);
    }
  }
}

function readTypes(text: string): readonly string[] {
  const asked = text.split(',').map((part) => part.trim());
  if (text === '*' || asked.every((type) => KNOWN_TYPES.includes(type))) return asked;
  throw new InputFault(`Give *, or some of ${KNOWN_TYPES.join(', ')}, separated by commas.`);
}
