// npm run docs runs this under Node.js 24: a PostgreSQL of its own, on which the migrations show
// the schema, and the program that writes the documents.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeFailure } from '../lib/failure.mjs';
import { prepareOwnPostgres } from '../postgres/prepare.mjs';
import { startPostgres } from '../postgres/server.mjs';
import { createStop, stopFromOutside } from '../start/shutdown.mjs';
import { openLogFile } from '../state/log-files.mjs';
import { findFreePort } from '../state/ports.mjs';
import { prepareLocalDir } from '../state/settings.mjs';
import { makeTestFolder, postgresFolderIn } from '../test/test-folder.mjs';
import { ROOT } from '../toolchain/toolchain.mjs';

const WRITER = join(ROOT, 'service', 'test', 'support', 'documents', 'write-documents.ts');

const stop = createStop();
stopFromOutside(stop);
let exitCode = 0;
try {
  process.env.TEST_DATABASE_URL ||= await startTemporaryPostgres();
  await import(pathToFileURL(WRITER).href);
} catch (failure) {
  console.error(`npm run docs failed: ${describeFailure(failure)}`);
  exitCode = 1;
}
await stop.undoAll();
process.exit(exitCode);

/** @returns {Promise<string>} the URL of its superuser */
async function startTemporaryPostgres() {
  const folder = makeTestFolder();
  stop.onStop(folder.remove);
  prepareLocalDir(folder.path);
  const own = await prepareOwnPostgres(postgresFolderIn(folder.path), () => {});
  const password = randomBytes(24).toString('base64url');
  const server = await startPostgres({
    ...own,
    port: await findFreePort(),
    password,
    settings: ['fsync=off'],
    log: openLogFile(folder.path, 'postgresql'),
    signal: stop.signal,
    note: () => {},
  });
  stop.onStop(server.stop);
  return server.url('postgres', password, 'postgres');
}
