import type { Client, FileEntry, SFTPWrapper, Stats } from 'ssh2';
import { faultOfStatus, SftpFault, type SftpStep } from './sftp-fault.ts';

/** A server that answers no packet for so long is frozen, or sends a byte a second. */
export const LONGEST_ANSWER_MS = 30_000;
/** The bytes that every server answers in one packet (SFTP version 3). */
const PACKET_BYTES = 32_768;
/** Packets that are asked for together, so that a far server sends 0.5 MB in each round trip. */
const PACKETS_AT_ONCE = 16;
/** Names of a folder that are kept, the newest: years of files that a bank leaves. */
const MOST_NAMES = 100_000;
/** No file system has a longer name, and a hostile server could fill the memory with them. */
export const LONGEST_NAME = 255;
const END_OF_FILE = 1;

/** A name of a folder, as the server lists it. */
export interface RemoteFile {
  readonly name: string;
  readonly size: number;
  /** Seconds since 1970, by the server's clock. */
  readonly modifiedAt: number;
}

/** A signed-in connection; each call ends within 30 s an answer, or throws a `SftpFault`. */
export type Session = ReturnType<typeof sessionOf>;

/** The parts of a signed-in client. */
export interface OpenSftp {
  readonly client: Client;
  readonly sftp: SFTPWrapper;
  /** Rejects when the connection ends. */
  readonly broken: Promise<never>;
}

type Answer<Value> = (error: Error | null | undefined, value: Value) => void;
type Done = Answer<void>;

/** Sends one request, and cuts a server off that stays silent. */
type Ask = <Value>(
  step: SftpStep,
  place: string,
  send: (answer: Answer<Value>) => void,
  /** Answers undefined at the end of a file or folder, which is a fault of any other request. */
  mayEnd?: boolean,
) => Promise<Value>;

export function sessionOf(open: OpenSftp) {
  const { client, sftp } = open;
  const ask = createAsk(open);
  return {
    /** The newest names first, read in parts: `matches` says which are kept. */
    list: (folder: string, matches: (name: string) => boolean) =>
      listFolder(sftp, ask, folder, matches),
    /** The entry itself, not where a link leads; null: there is none. */
    async find(path: string) {
      const place = folderOf(path);
      try {
        const stats = await ask<Stats>('list', place, (answer) => sftp.lstat(path, answer));
        return { ...fileOf(path, stats), isFile: stats.isFile() };
      } catch (error) {
        if (error instanceof SftpFault && error.kind === 'MISSING') return null;
        throw error;
      }
    },
    /** At most so many bytes. */
    read: (path: string, mostBytes: number) => readFile(sftp, ask, path, mostBytes),
    /** Writes over a file of the name. */
    write: (path: string, bytes: Buffer) => writeFile(sftp, ask, path, bytes),
    /** Fails where the name exists, on a server of version 3. */
    rename: (from: string, to: string) =>
      ask('rename', folderOf(to), (done: Done) => sftp.rename(from, to, done)),
    remove: (path: string) =>
      ask('remove', folderOf(path), (done: Done) => sftp.unlink(path, done)),
    end: () => client.destroy(),
  };
}

function createAsk({ client, broken }: OpenSftp): Ask {
  return (step, place, send, mayEnd = false) => {
    const answered = new Promise<Awaited<ReturnType<typeof send>>>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new SftpFault('SILENT', step, place));
        client.destroy();
      }, LONGEST_ANSWER_MS);
      const answer: Answer<never> = (error, value) => {
        clearTimeout(timer);
        if (!error) resolve(value);
        else if (mayEnd && 'code' in error && error.code === END_OF_FILE) {
          resolve(undefined as never);
        } else reject(faultOfStatus('code' in error ? error.code : null, step, place));
      };
      try {
        send(answer as Answer<unknown> as Parameters<typeof send>[0]);
      } catch {
        // The client throws where it is no longer connected.
        answer(new Error('not connected'), undefined as never);
      }
    });
    return Promise.race([answered, broken]) as never;
  };
}

async function listFolder(
  sftp: SFTPWrapper,
  ask: Ask,
  folder: string,
  matches: (name: string) => boolean,
): Promise<RemoteFile[]> {
  const handle = await ask<Buffer>('list', folder, (answer) => sftp.opendir(folder, answer));
  let found: RemoteFile[] = [];
  for (;;) {
    const part = await ask<FileEntry[] | undefined>(
      'list',
      folder,
      (answer) => sftp.readdir(handle, answer as never),
      true,
    );
    if (!part) break;
    for (const { filename, attrs } of part) {
      if (matches(filename)) found.push(fileOf(bounded(filename), attrs));
    }
    if (found.length > 2 * MOST_NAMES) found = newest(found);
  }
  await ask('list', folder, (done: Done) => sftp.close(handle, done));
  return newest(found);
}

async function readFile(
  sftp: SFTPWrapper,
  ask: Ask,
  path: string,
  mostBytes: number,
): Promise<Buffer> {
  const place = folderOf(path);
  const handle = await ask<Buffer>('read', place, (answer) => sftp.open(path, 'r', answer));
  // A file of 25 MB in parts would take twice its memory while they are joined.
  const bytes = Buffer.alloc(mostBytes);
  /** A server may answer with less than was asked for. @returns how many bytes it has of them */
  async function readPacket(from: number): Promise<number> {
    const end = Math.min(from + PACKET_BYTES, mostBytes);
    let at = from;
    while (at < end) {
      const count = await ask<number | undefined>(
        'read',
        place,
        (answer) => sftp.read(handle, bytes, at, end - at, at, answer),
        true,
      );
      if (!count) break;
      at += count;
    }
    return at - from;
  }
  let length = 0;
  for (let from = 0; from < mostBytes; from += PACKET_BYTES * PACKETS_AT_ONCE) {
    const starts = Array.from({ length: PACKETS_AT_ONCE }, (_, n) => from + n * PACKET_BYTES);
    const counts = await Promise.all(starts.filter((at) => at < mostBytes).map(readPacket));
    length += counts.reduce((sum, count) => sum + count, 0);
    if (counts.some((count) => count < PACKET_BYTES)) break;
  }
  await ask('read', place, (done: Done) => sftp.close(handle, done));
  return bytes.subarray(0, length);
}

async function writeFile(sftp: SFTPWrapper, ask: Ask, path: string, bytes: Buffer): Promise<void> {
  const place = folderOf(path);
  // The file has account numbers: for the user of the sign-in alone.
  const handle = await ask<Buffer>('write', place, (answer) =>
    sftp.open(path, 'w', { mode: 0o600 }, answer),
  );
  for (let from = 0; from < bytes.length; from += PACKET_BYTES) {
    const length = Math.min(PACKET_BYTES, bytes.length - from);
    await ask('write', place, (done: Done) => sftp.write(handle, bytes, from, length, from, done));
  }
  // Some servers say at the close that the disk is full.
  await ask('write', place, (done: Done) => sftp.close(handle, done));
}

/** Cuts a name that is too long, in a copy: a part of a text keeps the whole in the memory. */
const bounded = (name: string): string =>
  name.length > LONGEST_NAME ? Buffer.from(name.slice(0, LONGEST_NAME + 1)).toString() : name;

/** A server may leave both out, or write a size that no number holds: the file is too large. */
const fileOf = (name: string, { size, mtime }: Partial<Stats>): RemoteFile => ({
  name,
  size: Number.isSafeInteger(size) ? Number(size) : Number.MAX_SAFE_INTEGER,
  modifiedAt: mtime ?? 0,
});

const newest = (files: readonly RemoteFile[]): RemoteFile[] =>
  files.toSorted((a, b) => b.modifiedAt - a.modifiedAt).slice(0, MOST_NAMES);

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

/** The path of a name in a folder of the server. */
export const inFolder = (folder: string, name: string): string =>
  folder === '/' ? `/${name}` : `${folder}/${name}`;
