import pg from 'pg';

/** 3 GB in files of 16 MB: more than a run writes between two checkpoints (`min_wal_size`). */
const FILES = 190;

/**
 * Makes the files of the server's log before the measurements, as a server that has run for a day
 * has them. A new server makes a file after some 8,000 creations, for which all commits of that
 * moment wait some 25 ms.
 *
 * @param {string} url of the server's superuser
 */
export async function makeLogFiles(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (let file = 0; file < FILES; file += 1) {
      // A file without any record would not be switched.
      await client.query("SELECT pg_logical_emit_message(false, 'bench', 'record')");
      await client.query('SELECT pg_switch_wal()');
    }
    // The checkpoint renames the files for their next use.
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}
