import { listSigningKeys } from '#access/signing-keys/key-store.ts';
import { signingKeyStates } from '#access/signing-keys/states.ts';
import { isPepperOfCredentials } from '#merchants/credentials/check-store.ts';
import { findUnreadableSecrets } from './find-unreadable-secrets.ts';
import { type CheckDeps, examplesOf, fault, fine, type Verdict } from './verdict.ts';

export async function checkSecrets({ db, secretsKey }: CheckDeps): Promise<Verdict> {
  const { checked, unreadable } = await findUnreadableSecrets(db, secretsKey);
  if (unreadable.length === 0) return fine(`Every encrypted secret can be read (${checked}).`);
  return fault(
    `${unreadable.length} of ${checked} encrypted secrets cannot be read with this SECRETS_KEY: ` +
      `${examplesOf(unreadable)}.`,
  );
}

export async function checkPepper({ db, credentialsPepper }: CheckDeps): Promise<Verdict> {
  const isRight = await isPepperOfCredentials(db, credentialsPepper);
  if (isRight) return fine('Passwords and API keys are hashed with this CREDENTIALS_PEPPER.');
  if (isRight === null) return fine('No stored hash can prove the CREDENTIALS_PEPPER yet.');
  return fault(
    'Passwords and API keys are hashed with another CREDENTIALS_PEPPER: nobody can sign in.',
  );
}

export async function checkSigningKey({ db, clock }: CheckDeps): Promise<Verdict> {
  const states = signingKeyStates(await listSigningKeys(db), clock.now());
  const signing = states.find(({ state }) => state === 'SIGNING');
  if (signing) return fine(`Key ${signing.key.keyId} signs access tokens.`);
  return fault('No key signs access tokens. Run payreq keys rotate.');
}
