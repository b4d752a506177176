import { folderOf, type Import, importsOf, importsThroughReexports, type Tree } from './tree.ts';

const SRC = 'service/src/';

const FOUNDATIONS = ['http', 'database', 'telemetry', 'lib'];

/** The folders of `service/src`, each with the folders that its files may import. */
const FEATURE_ARROWS: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  settings: ['lib', 'console', 'e-transfer'],
  database: ['lib'],
  telemetry: ['lib', 'database', 'http'],
  http: ['lib', 'database', 'telemetry'],
  counters: [...FOUNDATIONS, 'ledger', 'payment-requests'],
  idempotency: FOUNDATIONS,
  'rate-limits': FOUNDATIONS,
  processes: FOUNDATIONS,
  merchants: FOUNDATIONS,
  doctor: FOUNDATIONS,
  'e-transfer': FOUNDATIONS,
  access: [...FOUNDATIONS, 'merchants', 'rate-limits'],
  webhooks: [...FOUNDATIONS, 'idempotency', 'merchants'],
  ledger: [...FOUNDATIONS, 'merchants'],
  'payment-requests': [
    ...FOUNDATIONS,
    'ledger',
    'webhooks',
    'idempotency',
    'merchants',
    'e-transfer',
  ],
  refunds: [
    ...FOUNDATIONS,
    'e-transfer',
    'idempotency',
    'ledger',
    'merchants',
    'payment-requests',
    'webhooks',
  ],
  cases: [...FOUNDATIONS, 'ledger', 'merchants', 'payment-requests', 'refunds', 'e-transfer'],
  sandbox: [...FOUNDATIONS, 'merchants', 'payment-requests', 'refunds', 'webhooks'],
  approvals: [
    ...FOUNDATIONS,
    'cases',
    'merchants',
    'messages',
    'payment-requests',
    'refunds',
    'webhooks',
  ],
  audit: [...FOUNDATIONS, 'merchants'],
  retention: [...FOUNDATIONS, 'ledger', 'merchants', 'payment-requests', 'refunds'],
  messages: [...FOUNDATIONS, 'idempotency', 'merchants', 'payment-requests', 'refunds'],
  console: [
    ...FOUNDATIONS,
    'access',
    'approvals',
    'audit',
    'cases',
    'counters',
    'doctor',
    'e-transfer',
    'ledger',
    'merchants',
    'messages',
    'payment-requests',
    'refunds',
    'sandbox',
    'webhooks',
  ],
  'api-reference': [
    ...FOUNDATIONS,
    'merchants',
    'payment-requests',
    'refunds',
    'sandbox',
    'webhooks',
  ],
};

/** Folders that compose the others; `service/src` itself does, too. */
const COMPOSING = ['commands', 'compose'];

/** Pure files outside `lib/` and the `model/` folders. */
const PURE_FILES = new Set([`${SRC}http/json/list-schemas.ts`, `${SRC}http/headers/entity-tag.ts`]);
/** Packages that neither hold state nor reach out. */
const PURE_PACKAGES = new Set(['typebox', 'ibantools', 'uuid', 'node:crypto', 'node:async_hooks']);

/** Each module and the only modules that import its values. */
const ONLY_IMPORTERS: readonly (readonly [module: RegExp, importers: RegExp, why: string])[] = [
  [
    /^service\/src\/e-transfer\/simulated-network\//,
    /^service\/src\/(e-transfer\/simulated-network\/|compose\/network(s|-settings)\.ts$)/,
    'features know the interface of a network, not one network',
  ],
  [
    /^service\/src\/e-transfer\/bank-transfer\//,
    /^service\/src\/(e-transfer\/bank-transfer\/|compose\/network(s|-settings)\.ts$|commands\/bank\/)/,
    'features know the interface of a network, not one network',
  ],
  [
    /^service\/src\/payment-requests\/status\/status-store\.ts$/,
    /^service\/src\/payment-requests\/status\/change-status\.ts$/,
    'change-status is the only writer of a status',
  ],
  [
    /^service\/src\/refunds\/status\/status-store\.ts$/,
    /^service\/src\/refunds\/status\/change-refund-status\.ts$/,
    'change-refund-status is the only writer of the status of a refund',
  ],
  [
    /^service\/src\/payment-requests\/status\/operator-case-store\.ts$/,
    /^service\/src\/payment-requests\/status\/operator-cases\.ts$/,
    'openOperatorCases is the only function that opens cases',
  ],
];

/** The arrows between features as ARCHITECTURE.md shows them, from the top of the picture down. */
export function drawArrows(): string[] {
  return Object.entries(FEATURE_ARROWS)
    .reverse()
    .map(([here, there]) => [here, there.filter((each) => !FOUNDATIONS.includes(each))] as const)
    .filter(([here, there]) => there.length > 0 && !FOUNDATIONS.includes(here))
    .map(([here, there]) => `${here} ${'─'.repeat(18 - here.length)}► ${there.join(', ')}`);
}

/** Arrows between features that no import takes. */
export function unusedArrows(tree: Tree): string[] {
  const taken = importsOf(tree).map(({ from, to }) => `${featureOf(from)} → ${featureOf(to)}`);
  return Object.entries(FEATURE_ARROWS)
    .flatMap(([here, there]) => there.map((each) => [here, each]))
    .filter(([, there = '']) => !FOUNDATIONS.includes(there))
    .map((arrow) => arrow.join(' → '))
    .filter((arrow) => !taken.includes(arrow));
}

/** Imports that leave the arrows between the folders of `service/src`. */
export function importsAgainstArrows(tree: Tree): string[] {
  return importsOf(tree)
    .filter(({ from, to }) => from.startsWith(SRC) && to.startsWith(SRC))
    .filter(({ from, to }) => {
      const [here, there] = [featureOf(from), featureOf(to)];
      if (here === there || here === '' || COMPOSING.includes(here)) return false;
      return !(FEATURE_ARROWS[here]?.includes(there) ?? false);
    })
    .map(arrowText);
}

/** Cycles of imports between sibling folders, in every part of the project. */
export function folderCycles(tree: Tree): string[] {
  const arrows = new Map<string, Set<string>>();
  for (const { from, to } of importsOf(tree)) {
    // The arrows between the parts have a rule of their own.
    if (!tree.has(to) || partOf(from) !== partOf(to)) continue;
    const [here, there] = siblingFolders(from, to);
    if (here === there || isPartOf(here, there) || isPartOf(there, here)) continue;
    const targets = arrows.get(here) ?? new Set();
    arrows.set(here, targets.add(there));
  }
  return findCycles(arrows);
}

/** Cycles of imports between files, of types too, in every part of the project. */
export function fileCycles(tree: Tree): string[] {
  const arrows = new Map<string, Set<string>>();
  for (const { from, to } of importsOf(tree)) {
    if (!tree.has(to)) continue;
    const targets = arrows.get(from) ?? new Set();
    arrows.set(from, targets.add(to));
  }
  return findCycles(arrows);
}

/** Values that a pure file (`lib/`, `model/`) takes from a file that is not pure. */
export function impureImports(tree: Tree): string[] {
  return importsOf(tree)
    .filter(({ from, isTypeOnly }) => from.startsWith(SRC) && isPure(from) && !isTypeOnly)
    .filter(({ to }) => !(tree.has(to) ? isPure(to) : PURE_PACKAGES.has(to)))
    .map(arrowText);
}

/** Values that a route module takes from a store: a use case stands between them. */
export function routesOnStores(tree: Tree): string[] {
  return importsWithin(tree, SRC)
    .filter(({ from, isTypeOnly }) => /routes\.ts$/.test(from) && !isTypeOnly)
    .filter(({ to }) => /(^|[-/])(store|outbox)\.ts$/.test(to))
    .map(arrowText);
}

/** Values that the console takes from another feature's store: it has no ways of its own. */
export function consoleOnStores(tree: Tree): string[] {
  return importsWithin(tree, SRC)
    .filter(({ from, isTypeOnly }) => featureOf(from) === 'console' && !isTypeOnly)
    .filter(({ to }) => /(^|[-/])(store|outbox)\.ts$/.test(to) && featureOf(to) !== 'console')
    .filter(({ to }) => to !== `${SRC}merchants/audit-log-store.ts`)
    .map(arrowText);
}

/** Imports of a module by others than the ones that the rule names. */
export function importsOfGuardedModules(tree: Tree): string[] {
  return importsWithin(tree, SRC).flatMap((each) => {
    const broken = ONLY_IMPORTERS.filter(
      ([module, importers]) => module.test(each.to) && !importers.test(each.from),
    );
    return broken.map(([, , why]) => `${arrowText(each)} (${why})`);
  });
}

/** Modules that a start loads, and which commands about merchants never need. */
export function loadedByMerchantCommands(tree: Tree): string[] {
  const loads = Map.groupBy(
    importsOf(tree).filter(({ isTypeOnly, isDynamic }) => !isTypeOnly && !isDynamic),
    ({ from }) => from,
  );
  const loaded = new Set([`${SRC}commands/merchant/merchant.ts`]);
  for (const path of loaded) for (const { to } of loads.get(path) ?? []) loaded.add(to);
  return [...loaded].filter((path) => path === 'typebox' || path.startsWith(`${SRC}cases/`));
}

/** The parts of the project, each with the other parts that it may import. */
const PART_ARROWS: Readonly<Record<string, readonly string[]>> = {
  'service/src': [],
  'service/test': ['service/src', 'sdk', 'sdk/test', 'demo-shop'],
  sdk: [],
  'sdk/test': ['sdk', 'service/test'],
  'demo-shop': ['sdk'],
  'demo-shop/test': ['demo-shop', 'sdk', 'service/src', 'service/test'],
  bench: ['service/src', 'service/test', 'scripts'],
  proofs: ['service/src', 'service/test', 'sdk', 'scripts'],
  scripts: ['service/src'],
};

/** Imports between parts (service, SDK, shop, bench, proofs, scripts) that no arrow allows. */
export function importsBetweenParts(tree: Tree): string[] {
  return importsOf(tree)
    .filter(({ from, to }) => {
      if (!tree.has(to)) return false;
      const [here, there] = [partOf(from), partOf(to)];
      return here !== there && !(PART_ARROWS[here]?.includes(there) ?? false);
    })
    .map(arrowText);
}

function partOf(path: string): string {
  const parts = Object.keys(PART_ARROWS).sort((one, other) => other.length - one.length);
  return parts.find((part) => path.startsWith(`${part}/`)) ?? '';
}

function isPure(path: string): boolean {
  return path.startsWith(`${SRC}lib/`) || path.includes('/model/') || PURE_FILES.has(path);
}

function importsWithin(tree: Tree, part: string): Import[] {
  return importsThroughReexports(tree).filter(
    ({ from, to }) => from.startsWith(part) && to.startsWith(part),
  );
}

/** The folder of `service/src` that a file is in; empty for the files directly in it. */
function featureOf(path: string): string {
  const [first = '', ...rest] = path.slice(SRC.length).split('/');
  return rest.length > 0 ? first : '';
}

/** The two folders below the deepest folder that both files share. */
function siblingFolders(from: string, to: string): [string, string] {
  const here = folderOf(from).split('/');
  const there = folderOf(to).split('/');
  const shared = here.findIndex((name, index) => name !== there[index]);
  const depth = (shared < 0 ? here.length : shared) + 1;
  return [here.slice(0, depth).join('/'), there.slice(0, depth).join('/')];
}

/** A folder and its own sub-folders are one part: they may import each other. */
function isPartOf(folder: string, other: string): boolean {
  return folder.startsWith(`${other}/`);
}

function findCycles(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (node: string, path: readonly string[]): void => {
    const start = path.indexOf(node);
    if (start >= 0) cycles.push([...path.slice(start), node].join(' → '));
    if (start >= 0 || done.has(node)) return;
    for (const next of arrows.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of arrows.keys()) visit(node, []);
  return cycles;
}

function arrowText({ from, to }: Import): string {
  return `${from} → ${to}`;
}
