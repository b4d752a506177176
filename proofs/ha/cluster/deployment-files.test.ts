import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import {
  type ClusterPlan,
  etcdEnvironment,
  haproxyFile,
  MACHINES,
  patroniFile,
} from './deployment-files.ts';
import { renderFile } from './render-file.ts';

const portsFrom = (first: number) => ({
  postgres: first,
  restApi: first + 1,
  etcdClient: first + 2,
  etcdPeer: first + 3,
});
const PLAN: ClusterPlan = {
  ports: { db1: portsFrom(1010), db2: portsFrom(1020), db3: portsFrom(1030) },
  haproxyPort: 1000,
  passwords: { superuser: 'super-1', replication: 'repl-1', restApi: 'rest-1' },
  binDir: '/opt/postgresql/bin',
  folder: '/srv/ha',
};

describe('the files of deploy/high-availability, filled in', () => {
  it('give each machine its own name, addresses and folders', () => {
    for (const name of MACHINES) {
      const { postgres, restApi } = PLAN.ports[name];
      const text = patroniFile(PLAN, name);
      assert.match(text, new RegExp(`^name: "${name}"$`, 'm'));
      assert.match(text, new RegExp(`^  connect_address: "127.0.0.1:${postgres}"$`, 'm'));
      assert.match(text, new RegExp(`^  connect_address: "127.0.0.1:${restApi}"$`, 'm'));
      assert.match(text, new RegExp(`^  data_dir: /srv/ha/${name}/data$`, 'm'));
      assert.doesNotMatch(text, /\/(etc|usr|var)\//);
    }
  });

  it('tell Patroni and etcd of all three machines', () => {
    const hosts = ['1012', '1022', '1032'].map((port) => `    - "127.0.0.1:${port}"`).join('\n');
    assert.ok(patroniFile(PLAN, 'db2').includes(`  hosts:\n${hosts}\n`));
    assert.equal(
      etcdEnvironment(PLAN, 'db2').ETCD_INITIAL_CLUSTER,
      'db1=http://127.0.0.1:1013,db2=http://127.0.0.1:1023,db3=http://127.0.0.1:1033',
    );
    assert.equal(etcdEnvironment(PLAN, 'db2').ETCD_NAME, 'db2');
  });

  it('let HAProxy ask each machine whether it leads', () => {
    const text = haproxyFile(PLAN);
    assert.match(text, /^ {4}bind 127\.0\.0\.1:1000$/m);
    assert.match(text, /^ {4}option httpchk OPTIONS \/primary$/m);
    for (const name of MACHINES) {
      const { postgres, restApi } = PLAN.ports[name];
      const server = `    server ${name} 127.0.0.1:${postgres} port ${restApi}`;
      assert.ok(text.includes(server), text);
    }
  });

  it('promise that an acknowledged commit lies on two machines', () => {
    const text = patroniFile(PLAN, 'db1');
    for (const line of [
      '    synchronous_mode: true',
      '    synchronous_mode_strict: true',
      '    synchronous_node_count: 1',
      '    primary_start_timeout: 0',
      '        synchronous_commit: "on"',
    ]) {
      assert.ok(text.includes(`${line}\n`), line);
    }
  });

  it('hold timings that Patroni accepts', () => {
    const text = patroniFile(PLAN, 'db1');
    const number = (name: string) =>
      Number(new RegExp(`^    ${name}: (\\d+)$`, 'm').exec(text)?.[1]);
    assert.ok(number('ttl') >= 20);
    assert.ok(number('loop_wait') + 2 * number('retry_timeout') <= number('ttl'));
  });
});

describe('docs/operations/high-availability.md', () => {
  it('fills in every place of the files that the operator copies', () => {
    const root = new URL('../../../', import.meta.url);
    const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
    const folder = 'deploy/high-availability/';
    const files = readdirSync(new URL(folder, root)).map((name) => read(`${folder}${name}`));
    const placesIn = (text: string) => [...new Set(text.match(/@[A-Z0-9_]+@/g))].sort();
    const [fill = ''] =
      /fill\(\) \{[^}]*\}/.exec(read('docs/operations/high-availability.md')) ?? [];
    assert.ok(placesIn(fill).length > 0);
    assert.deepEqual(placesIn(fill), placesIn(files.join('\n')));
  });
});

describe('a file that is filled in', () => {
  it('is refused when it lacks a text that the proof replaces', () => {
    assert.throws(
      () => renderFile('port: 5432', [['port: 5433', '']]),
      /does not hold "port: 5433"/,
    );
  });

  it('is refused when a place stays open, but for those in comments', () => {
    assert.throws(() => renderFile('name: @NODE@', []), /Nothing fills in @NODE@/);
    assert.equal(renderFile('# @NODE@\nname: db1', []), '# @NODE@\nname: db1');
  });
});
