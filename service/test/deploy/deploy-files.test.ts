import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { SETTINGS, type SettingName } from '../../src/settings.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

const PROJECT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, PROJECT), 'utf8');
const { version, engines } = JSON.parse(read('service/package.json'));
/** A supervisor waits for so long after both settings (docs/operations/upgrade.md). */
const MARGIN_SECONDS = 10;

const base = read('deploy/kubernetes/base/kustomization.yaml');
const pods = ['api', 'background', 'migrate'].map((name) =>
  read(`deploy/kubernetes/base/${name}.yaml`),
);
const [api = '', background = ''] = pods;
const compose = read('deploy/docker/compose.yaml');
const dockerfile = read('deploy/docker/Dockerfile');

type Values = Readonly<Record<string, string>>;

const valuesBy = (pattern: RegExp, text: string): Values =>
  Object.fromEntries([...text.matchAll(pattern)].map(([, name, value]) => [name, value]));
const literals = (text: string) => valuesBy(/^ {6}- ([A-Z_]+)=(.*)$/gm, text);
const composed = valuesBy(/^ {2}([A-Z_]+): "?([^"\n]*)"?$/gm, compose);
const imageValues = valuesBy(/(?<=^ENV |^ {2})([A-Z_]+)=(\S+)/gm, dockerfile);

const DEPLOYMENTS: readonly (readonly [string, Values])[] = [
  ['the sandbox overlay', overlay('sandbox')],
  ['the production overlay', overlay('production')],
  ['the compose file', composed],
];

function overlay(name: string): Values {
  return { ...literals(base), ...literals(read(`deploy/kubernetes/${name}/kustomization.yaml`)) };
}

function numberIn(pattern: RegExp, text: string): number {
  return Number(pattern.exec(text)?.[1] ?? Number.NaN);
}

function isSetting(name: string): boolean {
  if (name in SETTINGS) return true;
  const setting = SETTINGS[name.replace(/_FILE$/, '') as SettingName];
  return setting !== undefined && 'secret' in setting && /_FILE$/.test(name);
}

describe('the files of deploy/', () => {
  let folder: string;
  let service: TestService;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'deploy-'));
    service = await startTestService({ roles: ['api'] });
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await service?.stop();
  });

  /** The content of a secret, as an operator makes it. */
  function secretOf(name: string): string {
    if (name.startsWith('DATABASE_URL')) return 'postgres://payreq_runtime:x@postgres/payments';
    return randomBytes(32).toString('base64');
  }

  for (const [title, values] of DEPLOYMENTS) {
    it(`name settings alone, in ${title}`, () => {
      assert.ok(Object.keys(values).length > 8);
      assert.deepEqual(
        Object.keys(values).filter((name) => !isSetting(name)),
        [],
      );
    });

    it(`make a configuration without a fault, with the image and ${title}`, () => {
      const files = Object.keys(values).filter((name) => /_FILE$/.test(name));
      const secrets = files.map((name) => {
        const path = join(folder, name);
        writeFileSync(path, secretOf(name));
        return [name, path];
      });
      const env = { ...imageValues, ...values, ...Object.fromEntries(secrets) };
      const config = readConfig(env);
      assert.deepEqual([config.port, config.opsPort, config.opsHost], [4010, 4011, '0.0.0.0']);
      assert.equal(config.host, '0.0.0.0');
    });
  }

  it('use ports of the image, and paths of the operators’ listener', async () => {
    const ports = [...api.matchAll(/containerPort: (\d+)/g)].map(([, port]) => port);
    assert.deepEqual(ports, [imageValues.PORT, imageValues.OPS_PORT]);
    assert.match(dockerfile, new RegExp(`^EXPOSE ${ports.join(' ')}$`, 'm'));
    const monitor = read('deploy/kubernetes/base/service-monitor.yaml');
    const texts = [api, background, dockerfile, monitor];
    const named = texts.flatMap((text) => [...text.matchAll(/\/(?:health\/\w+|metrics)\b/g)]);
    const paths = new Set(named.map(([path]) => path));
    assert.deepEqual([...paths].sort(), ['/health/live', '/health/ready', '/metrics']);
    for (const path of paths) assert.equal((await fetch(service.opsUrl + path)).status, 200);
  });

  it('give a stop more time than the service takes', () => {
    const { SHUTDOWN_DELAY_SECONDS: delay, SHUTDOWN_GRACE_SECONDS: grace } = literals(base);
    const GRACE = /terminationGracePeriodSeconds: (\d+)/;
    assert.equal(numberIn(GRACE, api), Number(delay) + Number(grace) + MARGIN_SECONDS);
    assert.equal(numberIn(GRACE, background), Number(grace) + MARGIN_SECONDS);
    const ofCompose =
      Number(composed.SHUTDOWN_DELAY_SECONDS) + Number(composed.SHUTDOWN_GRACE_SECONDS);
    assert.equal(numberIn(/^ {2}stop_grace_period: (\d+)s/m, compose), ofCompose + MARGIN_SECONDS);
  });

  it('wait in startup for a service that waits for its database', () => {
    const failures = numberIn(/startupProbe:[\s\S]*?failureThreshold: (\d+)/, api);
    const period = numberIn(/startupProbe:[\s\S]*?periodSeconds: (\d+)/, api);
    assert.ok(failures * period > Number(SETTINGS.START_TIMEOUT.fallback));
    const start = numberIn(/--start-period=(\d+)s/, dockerfile);
    assert.ok(start > Number(SETTINGS.START_TIMEOUT.fallback));
  });

  it('name this version and a Node.js that runs it', () => {
    for (const name of ['sandbox', 'production']) {
      const text = read(`deploy/kubernetes/${name}/kustomization.yaml`);
      assert.equal(/newTag: (\S+)/.exec(text)?.[1], version, name);
    }
    assert.equal(/image: payment-requests:(\S+)/.exec(compose)?.[1], version);
    const images = [...dockerfile.matchAll(/^FROM \S+node:(\d+)\.(\d+)\.\d+-/gm)];
    assert.equal(images.length, 2);
    const [, major, minor] = /^>=(\d+)\.(\d+)/.exec(engines.node) ?? [];
    for (const [, imageMajor, imageMinor] of images) {
      assert.equal(imageMajor, major);
      assert.ok(Number(imageMinor) >= Number(minor));
    }
  });

  it('start the image with the memory flags of the command line', () => {
    const flags = read('scripts/toolchain/node-memory-flags').trim().split(/\s+/);
    const entry = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '[]');
    const cli = '/opt/payment-requests/service/src/cli.js';
    assert.deepEqual(entry, ['node', ...flags, '--', cli]);
  });

  it('bound the arenas of the image as the command lines do', () => {
    assert.match(dockerfile, /^ {2}MALLOC_ARENA_MAX=2 /m);
    for (const path of ['payreq', 'scripts/release/payreq']) {
      assert.match(read(path), /^export MALLOC_ARENA_MAX="\$\{MALLOC_ARENA_MAX:-2\}"$/m, path);
    }
  });

  it('mount every secret that the settings name', () => {
    for (const path of Object.values(composed).filter((value) =>
      value.startsWith('/run/secrets'),
    )) {
      const name = path.replace('/run/secrets/', '');
      assert.match(compose, new RegExp(`^ {2}${name}: \\{ file: \\./secrets/${name} \\}$`, 'm'));
    }
    const mounts = Object.entries(literals(base)).filter(([name]) => /_FILE$/.test(name));
    assert.equal(mounts.length, 4);
    for (const [, path] of mounts) {
      const mount = path.slice(0, path.lastIndexOf('/'));
      for (const text of pods) assert.match(text, new RegExp(`mountPath: ${mount}$`, 'm'));
    }
  });

  it('check each server of HAProxy at its own operators’ listener', () => {
    const page = read('docs/operations/behind-a-proxy.md');
    const unit = read('deploy/systemd/payment-requests-api@.service');
    const [, oneMachine = ''] = /^```haproxy name=one-machine\.cfg\n([^`]+)```$/m.exec(page) ?? [];
    const [, port, opsPort] = /PORT=(\S+)\nEnvironment=OPS_PORT=(\S+)/.exec(unit) ?? [];
    const ofInstance = (index: number) =>
      `127.0.0.1:${port} port ${opsPort}`.replaceAll('%i', `${index}`);
    const targets = [...oneMachine.matchAll(/^ {2}server \w+ (.+)$/gm)].map(([, target]) => target);
    assert.deepEqual(targets, [ofInstance(1), ofInstance(2)]);
    const files = readdirSync(new URL('deploy/', PROJECT), { recursive: true, encoding: 'utf8' });
    const configurations = files.filter((path) => path.endsWith('haproxy.cfg'));
    assert.equal(configurations.length, 3);
    for (const path of configurations) {
      const text = read(`deploy/${path}`);
      assert.doesNotMatch(text, /^ *default-server .*\bport\b/m, path);
      const servers = [...text.matchAll(/^ *server \w+ .*$/gm)].map(([line]) => line);
      assert.ok(servers.length > 1, path);
      for (const line of servers) assert.match(line, /:\d+ port \d+$/, path);
    }
  });

  it('close idle connections to the service before the service does', () => {
    const options = read('service/src/http/server/options.ts');
    const serviceMs = numberIn(
      /KEEP_ALIVE_TIMEOUT_MS = ([\d_]+)/,
      options.replace(/(?<=\d)_/g, ''),
    );
    const nginx = read('deploy/proxies/nginx.conf');
    const haproxy = read('deploy/proxies/haproxy.cfg');
    const [, upstream = ''] = /upstream [^{]+\{([^}]+)\}/.exec(nginx) ?? [];
    const idle = [
      numberIn(/keepalive_timeout (\d+)s/, upstream),
      numberIn(/pool-purge-delay (\d+)s/, haproxy),
    ];
    for (const seconds of idle) assert.ok(seconds * 1000 + 5_000 <= serviceMs, `${seconds}`);
  });

  it('hold no secret', () => {
    const files = ['docker', 'kubernetes', 'proxies'].flatMap((name) =>
      readdirSync(new URL(`deploy/${name}/`, PROJECT), { recursive: true, withFileTypes: true }),
    );
    for (const file of files.filter((entry) => entry.isFile())) {
      const text = readFileSync(join(file.parentPath, file.name), 'utf8');
      assert.doesNotMatch(text, /-----BEGIN|:\/\/[^<\s/]+:[^<…\s@]+@/, file.name);
    }
  });
});
