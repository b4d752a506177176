import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2, { type Attributes, type Connection, type SFTPWrapper } from 'ssh2';
import { fingerprintOf } from '#e-transfer/bank-transfer/connection/open-session.ts';

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;
const FILE = 0o100_600;
const FOLDER = 0o040_700;
const LINK = 0o120_777;
/** Names that one answer lists, so that a folder comes in several parts. */
const NAMES_AT_ONCE = 100;

interface Held {
  bytes: Buffer;
  /** null: the server does not say it. */
  modifiedAt: number | null;
  mode: number;
}

/** An answer of the server that is not the usual one. */
type Misdeed = keyof typeof STATUS_CODE | 'SILENT' | 'CUT';
type Request = 'OPEN' | 'READ' | 'WRITE' | 'RENAME' | 'REMOVE' | 'LSTAT' | 'OPENDIR';

/** A bank's SFTP server in this process, whose disk is a map. */
export interface SftpBank {
  /** The settings of a connection to it. */
  readonly settings: Readonly<Record<string, string>>;
  readonly files: Map<string, Held>;
  /** The paths of each request, in their order. */
  readonly asked: string[];
  put(path: string, bytes: Buffer, mode?: number): void;
  /** The fault at a request; undefined: none. It may change the files, and take its time, too. */
  misdeed: (request: Request, path: string) => Misdeed | undefined | Promise<undefined>;
  /** The public keys and the password that it knows, of any user. */
  readonly known: { readonly keys: string[]; password: string | null };
  /** Whether a session may speak SFTP, and not a shell alone. */
  offersSftp: boolean;
  /** Shows another host key from now on. */
  changeKey(): Promise<void>;
  stop(): Promise<void>;
}

export const FOLDER_MODE = FOLDER;
export const LINK_MODE = LINK;

export async function startSftpBank(): Promise<SftpBank> {
  const user = ssh2.utils.generateKeyPairSync('ed25519');
  let host = ssh2.utils.generateKeyPairSync('ed25519');
  const connections = new Set<Connection>();
  const files = new Map<string, Held>();
  const asked: string[] = [];
  let seconds = 1_772_000_000;
  const bank = {
    files,
    asked,
    known: { keys: [user.public], password: null as string | null },
    offersSftp: true,
    misdeed: (() => undefined) as SftpBank['misdeed'],
    put(path: string, bytes: Buffer, mode = FILE) {
      seconds += 1;
      files.set(path, { bytes, modifiedAt: seconds, mode });
    },
  };
  function serve(): ssh2.Server {
    return new ssh2.Server({ hostKeys: [host.private] }, (client) => {
      connections.add(client);
      // The types of the package lack it.
      (client as Connection & { setNoDelay(isOn: boolean): void }).setNoDelay(true);
      client.on('error', () => {});
      client.on('close', () => connections.delete(client));
      client.on('authentication', (context) => {
        return isKnown(context, bank.known) ? context.accept() : context.reject(METHODS);
      });
      client.on('session', (accept) =>
        accept().on('sftp', (take, refuse) => {
          if (bank.offersSftp) serveFiles(take(), client, bank);
          else refuse();
        }),
      );
    });
  }

  let server = serve();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  async function close(): Promise<void> {
    for (const each of connections) each.end();
    const closed = once(server, 'close');
    server.close();
    await closed;
  }
  return Object.assign(bank, {
    settings: {
      BANK_SFTP_URL: `sftp://shop@127.0.0.1:${port}`,
      BANK_SFTP_KEY: user.private.trimEnd(),
      BANK_SFTP_HOST_KEY: fingerprintOf(parsed(host.public).getPublicSSH()),
      BANK_SFTP_STATEMENTS: '/out/*.xml',
    },
    async changeKey() {
      await close();
      host = ssh2.utils.generateKeyPairSync('ed25519');
      server = serve();
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },
    stop: close,
  });
}

const METHODS: ssh2.AuthenticationType[] = ['publickey', 'password'];

function isKnown(context: ssh2.AuthContext, { keys, password }: SftpBank['known']): boolean {
  if (context.method === 'password') return context.password === password;
  if (context.method !== 'publickey') return false;
  const { key, signature, blob = Buffer.alloc(0), hashAlgo } = context;
  const found = keys.map(parsed).find((each) => key.data.equals(each.getPublicSSH()));
  return found !== undefined && (!signature || found.verify(blob, signature, hashAlgo) === true);
}

function parsed(key: string): ssh2.ParsedKey {
  const found = ssh2.utils.parseKey(key);
  if (found instanceof Error) throw found;
  return [found].flat()[0] as ssh2.ParsedKey;
}

type Disk = Pick<SftpBank, 'files' | 'asked' | 'misdeed' | 'put'>;

function serveFiles(sftp: SFTPWrapper, client: Connection, bank: Disk): void {
  const { files } = bank;
  const handles = new Map<number, { readonly path: string; names: string[] }>();
  let last = 0;
  const hold = (path: string, names: string[] = []): Buffer => {
    last += 1;
    handles.set(last, { path, names });
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(last);
    return handle;
  };
  const heldBy = (handle: Buffer) => handles.get(handle.readUInt32BE()) ?? { path: '', names: [] };
  const attributes = ({ bytes: { length: size }, modifiedAt: mtime, mode }: Held) => {
    const times = mtime === null ? {} : { atime: mtime, mtime };
    return { mode, uid: 1, gid: 1, size, ...times } as Attributes;
  };
  /** Notes the request, and answers where it goes wrong; else `answer` does. */
  function at(id: number, request: Request, path: string, answer: () => void): void {
    bank.asked.push(`${request} ${path}`);
    const misdeed = bank.misdeed(request, path);
    if (misdeed instanceof Promise) void misdeed.then(answer);
    else if (misdeed === 'CUT') client.end();
    else if (misdeed === undefined) answer();
    else if (misdeed !== 'SILENT') sftp.status(id, STATUS_CODE[misdeed]);
  }

  sftp.on('OPENDIR', (id, path) =>
    at(id, 'OPENDIR', path, () => {
      if (!files.has(path)) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
      const inside = [...files.keys()].filter((each) => each.startsWith(`${path}/`));
      return sftp.handle(id, hold(path, inside));
    }),
  );
  sftp.on('READDIR', (id, handle) => {
    const held = heldBy(handle);
    const some = held.names.splice(0, NAMES_AT_ONCE);
    if (some.length === 0) return sftp.status(id, STATUS_CODE.EOF);
    return sftp.name(
      id,
      some.map((path) => {
        const filename = path.slice(held.path.length + 1);
        return { filename, longname: filename, attrs: attributes(files.get(path) as Held) };
      }),
    );
  });
  sftp.on('LSTAT', (id, path) =>
    at(id, 'LSTAT', path, () => {
      const found = files.get(path);
      if (!found) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
      return sftp.attrs(id, attributes(found));
    }),
  );
  sftp.on('OPEN', (id, path, flags) =>
    at(id, 'OPEN', path, () => {
      if (flags & OPEN_MODE.WRITE) bank.put(path, Buffer.alloc(0));
      else if (!files.has(path)) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
      return sftp.handle(id, hold(path));
    }),
  );
  sftp.on('READ', (id, handle, offset, length) => {
    const { path } = heldBy(handle);
    at(id, 'READ', path, () => {
      const part = files.get(path)?.bytes.subarray(offset, offset + length);
      return part?.length ? sftp.data(id, part) : sftp.status(id, STATUS_CODE.EOF);
    });
  });
  sftp.on('WRITE', (id, handle, offset, data) => {
    const { path } = heldBy(handle);
    at(id, 'WRITE', path, () => {
      const before = files.get(path)?.bytes.subarray(0, offset) ?? Buffer.alloc(0);
      bank.put(path, Buffer.concat([before, data]));
      return sftp.status(id, STATUS_CODE.OK);
    });
  });
  sftp.on('RENAME', (id, from, to) =>
    at(id, 'RENAME', to, () => {
      const found = files.get(from);
      if (!found || files.has(to)) return sftp.status(id, STATUS_CODE.FAILURE);
      files.delete(from);
      files.set(to, found);
      return sftp.status(id, STATUS_CODE.OK);
    }),
  );
  sftp.on('REMOVE', (id, path) =>
    at(id, 'REMOVE', path, () =>
      sftp.status(id, files.delete(path) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE),
    ),
  );
  sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK));
}
