import { readDatabaseUrl } from './read-database-url.ts';
import { roleName, wholeNumber } from './read-values.ts';
import { optionalSetting, setting } from './setting.ts';

/** The settings of the database and its replica (contract §1). */
export const DATABASE_SETTINGS = {
  DATABASE_URL: setting({
    meaning: 'the PostgreSQL database of this environment, as postgres://user:password@host/name',
    secret: true,
    read: readDatabaseUrl,
  }),
  DATABASE_REPLICA_URL: optionalSetting({
    meaning:
      'a physical replica of the database, which serves lists and reports while it is no more ' +
      'than DATABASE_REPLICA_LAG behind; empty: the database serves them',
    secret: true,
    read: readDatabaseUrl,
  }),
  DATABASE_REPLICA_LAG: setting({
    meaning: 'the most seconds that a list or report of the replica may be behind',
    fallback: '10',
    read: wholeNumber(1, 300),
  }),
  RUNTIME_ROLE: setting({
    meaning:
      'the database role of payreq serve, if another role owns the tables: payreq migrate ' +
      'grants this role the rights that the service needs',
    fallback: '',
    read: (text) => (text === '' ? null : roleName(text)),
  }),
  DATABASE_POOL_SIZE: setting({
    meaning: 'the most connections of one process',
    fallback: '10',
    read: wholeNumber(2, 500),
  }),
};
