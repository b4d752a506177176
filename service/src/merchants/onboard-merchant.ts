import type { Database, Executor } from '#database/database.ts';
import { newId } from '#lib/new-id.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { encryptSecret } from '#lib/secrets/secret-box.ts';
import { keepCredentialsCheck } from '#merchants/credentials/check-store.ts';
import { insertCredential } from '#merchants/credentials/credential-store.ts';
import { issueApiKey } from '#merchants/credentials/issue-api-key.ts';
import { issuePassword, type SecretDeps } from '#merchants/credentials/issue-password.ts';
import { recordAct } from './audit-log-store.ts';
import type { Merchant } from './merchant.ts';
import {
  findMerchant,
  insertDefaultEndpoint,
  insertMerchant,
  type StoredListener,
} from './merchant-store.ts';
import {
  isMerchantId,
  newListenerUsername,
  newMerchantId,
  newSecret,
  newSigningSecret,
  newUsername,
} from './new-secret.ts';
import { OperatorFault, Refusal } from './operator-fault.ts';
import { readOrigins } from './read-origins.ts';
import { setRefundsPerDay } from './refund-limit-store.ts';
import { FULL_SCOPE } from './scopes.ts';

/** `REFUNDS_PER_DAY` when it is not set: as the default of MAX_AMOUNT. */
export const DEFAULT_REFUNDS_PER_DAY_CENTS = 1_000_000;

/** The length that a payer's page shows in one line; the database refuses longer names. */
export const LONGEST_MERCHANT_NAME = 100;

export interface NewMerchant {
  readonly name: string;
  /** The URL for all events of the merchant; `null` for none. */
  readonly webhookUrl: string | null;
  /**
   * Origins that a payment request's own `webhookUrl` may have, beside the origin of `webhookUrl`.
   */
  readonly webhookOrigins: readonly string[];
  /** Origins that a `returnUrl` may have; left out: none. */
  readonly returnOrigins?: readonly string[];
  readonly uniqueTransactionIds?: boolean;
  /** An id of `newMerchantId`, so that a repeated form makes one merchant; left out: a new id. */
  readonly merchantId?: string;
}

/** The data that a merchant gets once, at onboarding. */
export interface OnboardedMerchant {
  readonly merchantId: string;
  readonly name: string;
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
  readonly listener: ListenerCredentials;
}

/**
 * The credentials that the service sends to a merchant's webhook listener, and its signing secret.
 */
export interface ListenerCredentials {
  readonly username: string;
  readonly password: string;
  readonly signingSecret: string;
}

export interface OnboardingDeps extends SecretDeps {
  readonly db: Database;
  /** `SECRETS_KEY`, and the key that it replaces. */
  readonly secretsKey: RotatingKey;
  /** The guard's check for saving a URL; `url` is the stored spelling. */
  readonly checkWebhookUrl: (
    url: string,
  ) => Promise<
    | { readonly allowed: true; readonly url?: URL }
    | { readonly allowed: false; readonly reason: string }
  >;
  /** PUBLIC_API_URL is on localhost, so that a return origin may be `http:`; left out: false. */
  readonly isLocal?: boolean;
  /** `REFUNDS_PER_DAY`, in cents; left out: the setting's default. */
  readonly refundsPerDayCents?: number;
  /** The operator, for the audit log. */
  readonly actor: string;
}

/**
 * Registers a merchant with its first API credentials, its default listener credentials and, if a
 * webhook URL is given, an endpoint for that URL (contract §10). Only the result holds the secrets.
 *
 * @throws OperatorFault when the name, the URL or an origin is refused
 */
export async function onboardMerchant(
  deps: OnboardingDeps,
  asked: NewMerchant,
): Promise<OnboardedMerchant> {
  const { db, clock, environment, secretsKey } = deps;
  const { refundsPerDayCents = DEFAULT_REFUNDS_PER_DAY_CENTS } = deps;
  const name = readName(asked.name);
  const webhookUrl = asked.webhookUrl === null ? null : await checkUrl(deps, asked.webhookUrl);
  const { isLocal = false } = deps;
  const webhookOrigins = readOrigins({ use: 'webhook', isLocal }, [
    ...asked.webhookOrigins,
    ...(webhookUrl === null ? [] : [webhookUrl.origin]),
  ]);
  const returnOrigins = readOrigins({ use: 'return', isLocal }, asked.returnOrigins ?? []);

  const id = readMerchantId(asked.merchantId ?? newMerchantId());
  const merchant: Omit<Merchant, 'status' | 'messageSettings'> = {
    id,
    name,
    uniqueTransactionIds: asked.uniqueTransactionIds ?? false,
    webhookOrigins,
    returnOrigins,
  };
  const username = newUsername(deps);
  const listener: ListenerCredentials = {
    username: newListenerUsername(environment),
    password: newSecret(environment),
    signingSecret: newSigningSecret(),
  };

  const { password, apiKey } = await db.transaction(async (tx) => {
    const now = clock.now();
    if (asked.merchantId !== undefined) await refuseKnownMerchant(tx, id);
    await keepCredentialsCheck(tx, deps.credentialsPepper);
    await insertMerchant(tx, merchant, box(secretsKey, listener, `merchant:${id}`), now);
    await setRefundsPerDay(tx, id, refundsPerDayCents);
    if (webhookUrl !== null) {
      const endpoint = { id: newId(), merchantId: id, url: webhookUrl.href };
      const boxed = box(secretsKey, listener, `endpoint:${endpoint.id}`);
      await insertDefaultEndpoint(tx, endpoint, boxed, now);
    }
    await insertCredential(tx, { username, merchantId: id, scopes: [FULL_SCOPE] }, now);
    await recordAct(tx, deps, 'MERCHANT_CREATED', id, {
      ...{ name, username, webhookOrigins, returnOrigins, refundsPerDayCents },
      hasEndpoint: webhookUrl !== null,
    });
    return {
      password: await issuePassword(tx, deps, username),
      apiKey: await issueApiKey(tx, deps, id),
    };
  });
  return { merchantId: id, name, username, password, apiKey, listener };
}

/** The checks of a new merchant's values, each by itself: a form marks every fault at once. */
export const merchantChecks = (
  deps: Pick<OnboardingDeps, 'checkWebhookUrl' | 'isLocal'>,
  { name, webhookUrl, returnOrigins = [] }: NewMerchant,
): readonly (() => unknown)[] => [
  () => readName(name),
  () => webhookUrl === null || checkUrl(deps, webhookUrl),
  () => readOrigins({ use: 'return', isLocal: deps.isLocal ?? false }, returnOrigins),
];

function readMerchantId(id: string): string {
  if (isMerchantId(id)) return id;
  throw new Refusal('merchant.form');
}

async function refuseKnownMerchant(tx: Executor, id: string): Promise<void> {
  const known = await findMerchant(tx, id);
  if (!known) return;
  throw new Refusal('merchant.registered', { name: known.name });
}

function readName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > LONGEST_MERCHANT_NAME || /\p{Cc}/u.test(name)) {
    throw new Refusal('merchant.name', { most: LONGEST_MERCHANT_NAME }, 'name');
  }
  return name;
}

async function checkUrl(deps: Pick<OnboardingDeps, 'checkWebhookUrl'>, text: string): Promise<URL> {
  const verdict = await deps.checkWebhookUrl(text);
  if (!verdict.allowed) throw new OperatorFault(verdict.reason, 'webhookUrl');
  return verdict.url ?? new URL(text);
}

function box(
  secretsKey: RotatingKey,
  listener: ListenerCredentials,
  owner: string,
): StoredListener {
  return {
    username: listener.username,
    passwordEncrypted: encryptSecret(secretsKey, listener.password, `${owner}:listener_password`),
    signingSecretEncrypted: encryptSecret(
      secretsKey,
      listener.signingSecret,
      `${owner}:signing_secret`,
    ),
  };
}
