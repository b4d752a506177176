import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ran, runIn } from './release-copy.ts';

/** An empty Debian in a folder. */
export interface DebianRoot {
  readonly folder: string;
  /** Runs a script as root in the Debian; all of its processes end with it. */
  run(script: string, network: 'shared' | 'own'): Ran;
  remove(): void;
}

const POLICY = '#!/bin/sh\nexit 101\n';
/** Names are resolved as this machine resolves them. */
const NAME_SERVERS = '/etc/resolv.conf';
/** Some machines reach the registry through a proxy with an authority of its own. */
const AUTHORITIES = process.env.NODE_EXTRA_CA_CERTS;
const AUTHORITIES_COPY = '/etc/authorities-of-the-test.pem';
const ENVIRONMENT = [
  'HOME=/root',
  'LANG=C.UTF-8',
  'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
  ...(AUTHORITIES ? [`NODE_EXTRA_CA_CERTS=${AUTHORITIES_COPY}`] : []),
];

/** Makes Debian's smallest system. @throws Error with the words of debootstrap */
export function createDebianRoot(): DebianRoot {
  const folder = mkdtempSync(join(tmpdir(), 'debian-'));
  // The root of a Debian is open to its accounts.
  chmodSync(folder, 0o755);
  const made = runIn(folder, 'debootstrap', '--variant=minbase', 'bookworm', folder);
  if (made.exitCode !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(made.output.split('\n').slice(-10).join('\n'));
  }
  cpSync(NAME_SERVERS, join(folder, NAME_SERVERS));
  if (AUTHORITIES) cpSync(AUTHORITIES, join(folder, AUTHORITIES_COPY));
  // Without systemd, an installation would start servers among those of this machine.
  writeFileSync(join(folder, 'usr/sbin/policy-rc.d'), POLICY, { mode: 0o755 });
  return {
    folder,
    run(script, network) {
      writeFileSync(join(folder, 'root', 'script.sh'), script);
      const isolated = ['--mount', '--pid', '--fork', '--kill-child'];
      if (network === 'own') isolated.push('--net');
      const enter = [
        ...(network === 'own' ? ['ip link set lo up'] : []),
        `mount -t proc proc '${folder}/proc'`,
        `mount -t tmpfs tmpfs '${folder}/dev/shm' 2>/dev/null || true`,
        `exec env -i ${ENVIRONMENT.join(' ')} chroot '${folder}' bash /root/script.sh`,
      ];
      return runIn('/', 'unshare', ...isolated, 'sh', '-ec', enter.join('\n'));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Whether this machine can make such a Debian. */
export function isDebian(): boolean {
  try {
    return process.getuid?.() === 0 && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}
