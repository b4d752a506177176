/** @typedef {{ package: string, program: string }} Needed a Debian package, and a file of it */

/**
 * The programs of each proof that npm does not bring.
 * @type {Readonly<Record<string, readonly Needed[]>>}
 */
export const PROOFS = {
  chaos: [{ package: 'faketime', program: '/usr/bin/faketime' }],
  ha: [
    { package: 'patroni', program: '/usr/bin/patroni' },
    { package: 'etcd-server', program: '/usr/bin/etcd' },
    { package: 'haproxy', program: '/usr/sbin/haproxy' },
    { package: 'postgresql-15', program: '/usr/lib/postgresql/15/bin/postgres' },
  ],
  simulation: [],
  mutation: [],
};
