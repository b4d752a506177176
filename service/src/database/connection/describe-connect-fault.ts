/** Why no connection to the database can be made. */
export interface ConnectFault {
  /** For an operator: the fault and its remedy, without the password. */
  readonly sentence: string;
  /** Whether waiting can heal the fault; else a person must change something. */
  readonly canHeal: boolean;
}

/** No connection to the database can be made. The message is the fault's sentence. */
export class DatabaseNotReached extends Error {
  readonly fault: ConnectFault;

  constructor(fault: ConnectFault, cause: unknown) {
    super(fault.sentence, { cause });
    this.name = 'DatabaseNotReached';
    this.fault = fault;
  }
}

/** Faults of the server or of the way to it; each of them ends without a change of settings. */
const HEALING: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no route to its host',
  ENETUNREACH: 'there is no route to its network',
  ENOENT: 'its socket is not there',
  ENOTFOUND: 'its host name does not resolve',
  EAI_AGAIN: 'its host name does not resolve',
  '57P01': 'it is being stopped',
  '57P02': 'it is being stopped',
  '57P03': 'it is starting or stopping',
  '53100': 'its disk is full',
  '53200': 'it has no memory left',
  '53300': 'it has no connection left',
  '25006': 'it is read-only: a standby, or a demoted primary',
};

/** Faults that a person must correct. */
const LASTING: Readonly<Record<string, string>> = {
  '28P01': 'it refuses the user or the password of DATABASE_URL',
  '28000': 'it refuses the user of DATABASE_URL',
  '3D000': 'the database that DATABASE_URL names does not exist',
  '42501': 'the user of DATABASE_URL lacks a right',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not of a trusted CA: name the CA in sslrootcert',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not of a trusted CA: name the CA in sslrootcert',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is not of a trusted CA: name the CA in sslrootcert',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate is not of a trusted CA: name the CA in sslrootcert',
  CERT_SIGNATURE_FAILURE: 'its certificate is not of the CA in sslrootcert',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate names another host than DATABASE_URL',
};

/** pg has no code for these, only a sentence. */
const SILENT = /timeout expired|timeout exceeded|Query read timeout/;
const CLOSED = /Connection terminated/;
const NO_TLS = /does not support SSL/;
const NEEDS_TLS = /no encryption|SSL off/;

/** Puts an error of `pg` on connecting into words; null: the error has another reason. */
export function describeConnectFault(error: unknown): ConnectFault | null {
  const one = error instanceof AggregateError ? error.errors.at(-1) : error;
  if (!(one instanceof Error)) return null;
  const code = 'code' in one ? String(one.code) : '';
  if (NO_TLS.test(one.message)) {
    return fault('it has no TLS, which the sslmode of DATABASE_URL asks for', 'no TLS', false);
  }
  if (code === '28000' && NEEDS_TLS.test(one.message)) {
    return fault('it refuses connections without TLS: add sslmode to DATABASE_URL', code, false);
  }
  const lasting = LASTING[code];
  if (lasting !== undefined) {
    // The server's own words name the table or the schema.
    const words = code === '42501' ? `, ${one.message}` : '';
    return fault(`${lasting}${words}`, code, false);
  }
  const healing = HEALING[code];
  if (healing !== undefined) return fault(healing, code, true);
  if (SILENT.test(one.message)) return fault('it does not answer', 'time-out', true);
  if (CLOSED.test(one.message)) return fault('it closed the connection', 'no answer', true);
  return null;
}

function fault(reason: string, code: string, canHeal: boolean): ConnectFault {
  return { sentence: `The database cannot be used: ${reason} (${code}).`, canHeal };
}
