// npm run docs runs this under Node.js 24: a PostgreSQL of its own, on which the migrations show
// the schema, and the program that writes the documents.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeFailure } from '../failure.mjs';
import { ROOT } from '../toolchain.mjs';
import { openLogFile } from './log-files.mjs';
import { prepareOwnPostgres } from './own-postgres.mjs';
import { findFreePort } from './ports.mjs';
import { startPostgres } from './postgres-server.mjs';
import { prepareLocalDir } from './settings.mjs';
import { createStop, stopFromOutside } from './stop.mjs';
import { makeTestFolder, postgresFolderIn } from './test-folder.mjs';

const WRITER = join(ROOT, 'service', 'test', 'support', 'write-documents.ts');

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
