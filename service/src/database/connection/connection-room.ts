import { connectClient } from './connect-client.ts';

/** How many connections this service may open, and what says so. */
export interface ConnectionRoom {
  readonly connections: number;
  /** The reason, as in "max_connections is 100, 3 of them are reserved". */
  readonly because: string;
}

/** PostgreSQL 15 knows no reserved_connections: absent, it is nought. A limit of -1 is none. */
const READ_LIMITS = `
  SELECT current_setting('max_connections')::int AS server,
         current_setting('superuser_reserved_connections')::int
           + coalesce(current_setting('reserved_connections', true)::int, 0) AS reserved,
         (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS role,
         (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS database`;

/** Asks the database server how many connections it would give this service at most. */
export async function readConnectionRoom(url: string): Promise<ConnectionRoom> {
  const client = await connectClient(url);
  try {
    const { rows } = await client.query(READ_LIMITS);
    const { server, reserved, role, database } = rows[0];
    const rooms: ConnectionRoom[] = [
      {
        connections: server - reserved,
        because: `max_connections is ${server}, ${reserved} of them are reserved`,
      },
    ];
    if (role >= 0) rooms.push({ connections: role, because: 'the limit of its role' });
    if (database >= 0) rooms.push({ connections: database, because: 'the limit of its database' });
    return rooms.reduce((least, room) => (room.connections < least.connections ? room : least));
  } finally {
    await client.end();
  }
}
