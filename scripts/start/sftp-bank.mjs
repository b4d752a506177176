// The bank of BANK_DEMO=sftp: an SFTP server in this process, for the one key of this start.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { join, posix } from 'node:path';
import ssh2 from 'ssh2';
import { writePrivateFile } from '../lib/private-file.mjs';

/** @typedef {{ keyFile: string, hostKey: string }} SftpBank what a customer of the bank gets */

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;
const BY_ERROR = /** @type {Record<string, number>} */ ({
  ENOENT: STATUS_CODE.NO_SUCH_FILE,
  EACCES: STATUS_CODE.PERMISSION_DENIED,
});
/** The names that one answer lists. */
const NAMES_AT_ONCE = 100;
/** The bytes of one answer; clients ask for the rest again. */
const LONGEST_READ = 65_536;

/**
 * Starts the server, which serves the folder `bank` of LOCAL_DIR and nothing beside it.
 * @param {import('./npm-start.mjs').Context} context @returns {Promise<SftpBank>}
 */
export async function bringUpSftpBank({ settings: { localDir, ports }, step, stop }) {
  const user = ssh2.utils.generateKeyPairSync('ed25519');
  const host = ssh2.utils.generateKeyPairSync('ed25519');
  const keyFile = join(localDir, 'bank-sftp-key');
  await step('SFTP bank', async () => {
    writePrivateFile(keyFile, user.private);
    const server = createServer(host.private, parsed(user.public), join(localDir, 'bank'));
    await once(server.listen(ports.bankSftp, '127.0.0.1'), 'listening');
    stop.onStop(() => server.close());
    return `on port ${ports.bankSftp}`;
  });
  const fingerprint = createHash('sha256').update(parsed(host.public).getPublicSSH());
  return { keyFile, hostKey: `SHA256:${fingerprint.digest('base64').replace(/=+$/, '')}` };
}

/** @param {string} key */
function parsed(key) {
  const found = ssh2.utils.parseKey(key);
  if (found instanceof Error) throw found;
  return /** @type {ssh2.ParsedKey} */ ([found].flat()[0]);
}

/** @param {string} hostKey @param {ssh2.ParsedKey} allowed @param {string} root */
function createServer(hostKey, allowed, root) {
  const connections = new Set();
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    connections.add(client);
    client.on('error', () => {});
    client.on('close', () => connections.delete(client));
    client.on('authentication', (context) => {
      if (context.method !== 'publickey') return context.reject(['publickey']);
      const { key, signature, blob = Buffer.alloc(0), hashAlgo } = context;
      const isSigned = !signature || allowed.verify(blob, signature, hashAlgo) === true;
      const isKnown = key.data.equals(allowed.getPublicSSH());
      return isKnown && isSigned ? context.accept() : context.reject(['publickey']);
    });
    client.on('session', (accept) => accept().on('sftp', (take) => serveFiles(take(), root)));
  });
  return {
    listen: server.listen.bind(server),
    close() {
      for (const each of connections) each.end();
      server.close();
    },
  };
}

/** `work` has not answered: the answer is OK. */
const DONE = Symbol('done');

/**
 * Serves a folder: each request is answered by its work, or by the code of its fault.
 * @param {ssh2.SFTPWrapper} sftp @param {string} root
 */
function serveFiles(sftp, root) {
  const at = (/** @type {string} */ path) => join(root, posix.normalize(`/${path}`));
  /** @param {number} id @param {() => unknown} work */
  function serve(id, work) {
    try {
      if (work() === DONE) sftp.status(id, STATUS_CODE.OK);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      sftp.status(id, BY_ERROR[code] ?? STATUS_CODE.FAILURE);
    }
  }
  const handles = createHandles();
  serveReads(sftp, { at, serve, handles });
  serveWrites(sftp, { at, serve, handles });
}

/** @typedef {{ fd: number | null, folder: string, names: string[] }} Held an open file or folder */

/** The open files and folders of a session. */
function createHandles() {
  /** @type {Map<number, Held>} */
  const open = new Map();
  let last = 0;
  return {
    /** @param {Partial<Held>} held */
    hold(held) {
      last += 1;
      open.set(last, { fd: null, folder: '', names: [], ...held });
      const handle = Buffer.alloc(4);
      handle.writeUInt32BE(last);
      return handle;
    },
    /** @param {Buffer} handle */
    held(handle) {
      const found = open.get(handle.readUInt32BE());
      if (!found) throw new Error('unknown handle');
      return found;
    },
    /** @param {Buffer} handle */
    close(handle) {
      const { fd } = this.held(handle);
      open.delete(handle.readUInt32BE());
      if (fd !== null) fs.closeSync(fd);
      return DONE;
    },
  };
}

/**
 * @typedef {object} Serving
 * @property {(path: string) => string} at the place of a path on this machine
 * @property {(id: number, work: () => unknown) => void} serve
 * @property {ReturnType<typeof createHandles>} handles
 */

/** @param {string} path */
function attributesOf(path) {
  const { mode, uid, gid, size, atimeMs, mtimeMs } = fs.lstatSync(path);
  const [atime, mtime] = [Math.trunc(atimeMs / 1e3), Math.trunc(mtimeMs / 1e3)];
  return { mode, uid, gid, size, atime, mtime };
}

/** @param {ssh2.SFTPWrapper} sftp @param {Serving} serving */
function serveReads(sftp, { at, serve, handles }) {
  sftp.on('OPENDIR', (id, path) =>
    serve(id, () =>
      sftp.handle(id, handles.hold({ folder: at(path), names: fs.readdirSync(at(path)) })),
    ),
  );
  sftp.on('READDIR', (id, handle) =>
    serve(id, () => {
      const { folder, names } = handles.held(handle);
      const some = names.splice(0, NAMES_AT_ONCE);
      if (some.length === 0) return sftp.status(id, STATUS_CODE.EOF);
      const list = some.map((filename) => {
        const attrs = attributesOf(join(folder, filename));
        return { filename, longname: filename, attrs };
      });
      return sftp.name(id, list);
    }),
  );
  sftp.on('LSTAT', (id, path) => serve(id, () => sftp.attrs(id, attributesOf(at(path)))));
  sftp.on('READ', (id, handle, offset, length) =>
    serve(id, () => {
      const bytes = Buffer.alloc(Math.min(length, LONGEST_READ));
      const count = fs.readSync(handles.held(handle).fd ?? -1, bytes, 0, bytes.length, offset);
      if (count === 0) return sftp.status(id, STATUS_CODE.EOF);
      return sftp.data(id, bytes.subarray(0, count));
    }),
  );
}

/** @param {ssh2.SFTPWrapper} sftp @param {Serving} serving */
function serveWrites(sftp, { at, serve, handles }) {
  sftp.on('OPEN', (id, path, flags) =>
    serve(id, () => {
      const isWrite = (flags & OPEN_MODE.WRITE) !== 0;
      // Account numbers stand in it.
      return sftp.handle(
        id,
        handles.hold({ fd: fs.openSync(at(path), isWrite ? 'w' : 'r', 0o600) }),
      );
    }),
  );
  sftp.on('WRITE', (id, handle, offset, data) =>
    serve(id, () => {
      fs.writeSync(handles.held(handle).fd ?? -1, data, 0, data.length, offset);
      return DONE;
    }),
  );
  sftp.on('CLOSE', (id, handle) => serve(id, () => handles.close(handle)));
  sftp.on('RENAME', (id, from, to) =>
    serve(id, () => {
      if (fs.existsSync(at(to))) throw new Error('the name exists');
      fs.renameSync(at(from), at(to));
      return DONE;
    }),
  );
  sftp.on('REMOVE', (id, path) =>
    serve(id, () => {
      fs.rmSync(at(path));
      return DONE;
    }),
  );
}
