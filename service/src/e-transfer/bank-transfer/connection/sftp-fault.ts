/** A step of a connection, in the words of its faults. */
export type SftpStep = 'connect' | 'sign in' | 'list' | 'read' | 'write' | 'rename' | 'remove';

const YOU = 'Correct it in the settings of this service.';
const BANK = 'The bank corrects it.';

/** Each kind of fault: what happened, and who can correct it. */
const FAULTS = {
  UNREACHABLE: ['the server cannot be reached', 'Ask who runs your network, then the bank.'],
  NAME: [
    'no server has the name of BANK_SFTP_URL',
    'Compare it with the bank’s letter, then ask who runs your network.',
  ],
  HOST_KEY: [
    'the server shows a key that is not in BANK_SFTP_HOST_KEY, and nothing was sent',
    'Ask the bank by telephone whether its key has changed. Until it confirms, trust no server.',
  ],
  PROTOCOL: ['the server and this service have no algorithm in common', BANK],
  KEY: [
    'the private key cannot be used',
    `Take an ed25519 or ecdsa key as ssh-keygen writes it, or RSA of 3072 bits. ${YOU}`,
  ],
  PASSPHRASE: ['the passphrase does not open the private key, or none is set', YOU],
  SIGN_IN: [
    'the server refuses the user, the key or the password',
    'Ask the bank whether they are registered.',
  ],
  NO_SFTP: ['the server takes the sign-in and offers no SFTP', BANK],
  SILENT: ['the server did not answer for 30 seconds', BANK],
  CLOSED: ['the connection ended', 'It is tried again. If it stays, ask the bank.'],
  MISSING: ['there is no such folder or file', `Compare the folder with the bank’s letter. ${YOU}`],
  DENIED: ['the server denies it', 'Ask the bank for the right to this folder.'],
  FULL: ['the server did not store the file: its disk or your quota may be full', BANK],
  EXISTS: ['the name exists already', 'Look at the folder with the bank.'],
  FAILURE: ['the server refuses it without a reason', BANK],
  HALF: ['the file on the server is not as long as what was sent', 'It is sent again.'],
  TIME: [
    'the round took its 10 minutes, or statements took 8 of them',
    'It goes on in the next round.',
  ],
  LEASE_LOST: [
    'another process has taken the connection over, since this one did not renew its lease',
    'It goes on there. If it stays, look at the database and the load of this process.',
  ],
  DATABASE: ['the service could not note it', 'Look at the log of this service.'],
} as const;

export type SftpFaultKind = keyof typeof FAULTS;

/** Status codes of SFTP. Version 3 says FAILURE for a full disk and for an existing name. */
const BY_CODE: Readonly<Record<number, SftpFaultKind>> = {
  2: 'MISSING',
  3: 'DENIED',
  11: 'EXISTS',
  14: 'FULL',
  15: 'FULL',
};

/** A step on the bank's server that failed; the message names the step and who can correct it. */
export class SftpFault extends Error {
  override readonly name = 'SftpFault';
  readonly kind: SftpFaultKind;
  readonly step: SftpStep;

  /** @param place the folder of the settings; names of files are the bank's, and stay out */
  constructor(kind: SftpFaultKind, step: SftpStep, place = '') {
    const [what, mender] = FAULTS[kind];
    super(`To ${step}${place && ` ${place}`}: ${what}. ${mender}`);
    this.kind = kind;
    this.step = step;
  }

  /** Whether the connection itself is of no more use. */
  get endsRound(): boolean {
    return ['SILENT', 'CLOSED', 'TIME', 'LEASE_LOST', 'DATABASE'].includes(this.kind);
  }
}

/** The fault of an answer of the server; `code` is its status. */
export function faultOfStatus(code: unknown, step: SftpStep, place?: string): SftpFault {
  const known = typeof code === 'number' ? (BY_CODE[code] ?? 'FAILURE') : 'CLOSED';
  const kind = known === 'FAILURE' && step === 'write' ? 'FULL' : known;
  return new SftpFault(kind, step, place);
}

/** Why no session began. */
export function faultOfStart(error: {
  readonly level?: string;
  readonly code?: unknown;
}): SftpFault {
  const { level, code } = error;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new SftpFault('NAME', 'connect');
  if (level === 'client-authentication') return new SftpFault('SIGN_IN', 'sign in');
  if (level === 'client-timeout') return new SftpFault('SILENT', 'connect');
  if (level === 'handshake') return new SftpFault('PROTOCOL', 'connect');
  const isNetwork = level === 'client-socket' || level === 'client-dns';
  return new SftpFault(isNetwork ? 'UNREACHABLE' : 'CLOSED', 'connect');
}
