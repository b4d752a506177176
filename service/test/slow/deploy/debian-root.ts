import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Ran, runIn } from './release-copy.ts';

/** An empty Debian in a folder. */
export interface DebianRoot {
  readonly folder: string;
  /** Runs a script as root in the Debian; all of its processes end with it. */
  run(script: string, network: 'shared' | 'own'): Ran;
  /** Boots the Debian by its systemd without a network, and runs a script there as root. */
  boot(script: string): Ran;
  /** Another Debian with the present content. */
  copy(): DebianRoot;
  remove(): void;
}

const INCLUDED = '--include=systemd-sysv,dbus';
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

const STEPS = 'etc/systemd/system/steps.service';
const STEPS_LOG = 'root/steps.log';
/** The exit code of the script becomes that of the machine. */
const STEPS_UNIT = `[Unit]
Requires=multi-user.target
After=multi-user.target
SuccessAction=exit-force
FailureAction=exit-force
FailureActionExitStatus=1
[Service]
Type=oneshot
ExecStart=/bin/bash /root/script.sh
StandardOutput=file:/${STEPS_LOG}
StandardError=inherit
Environment=HOME=/root LANG=C.UTF-8
TimeoutStartSec=9min
`;

/** Makes Debian's smallest system with systemd. @throws Error with the words of debootstrap */
export function createDebianRoot(): DebianRoot {
  const folder = makeFolder();
  const made = runIn(folder, 'debootstrap', '--variant=minbase', INCLUDED, 'bookworm', folder);
  if (made.exitCode !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(made.output.split('\n').slice(-10).join('\n'));
  }
  cpSync(NAME_SERVERS, join(folder, NAME_SERVERS));
  if (AUTHORITIES) cpSync(AUTHORITIES, join(folder, AUTHORITIES_COPY));
  return rootAt(folder);
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'debian-'));
  // The root of a Debian is open to its accounts.
  chmodSync(folder, 0o755);
  return folder;
}

function rootAt(folder: string): DebianRoot {
  const policy = join(folder, 'usr/sbin/policy-rc.d');
  return {
    folder,
    run(script, network) {
      // Without systemd, an installation would start servers among those of this machine.
      writeFileSync(policy, POLICY, { mode: 0o755 });
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
    boot(script) {
      rmSync(policy, { force: true });
      writeFileSync(join(folder, 'root', 'script.sh'), script);
      writeFileSync(join(folder, STEPS), STEPS_UNIT);
      writeFileSync(join(folder, STEPS_LOG), '');
      const options = ['--quiet', '--settings=no', '--private-network', '--console=pipe'];
      // This machine may have no systemd that could register the container.
      const alone = ['--register=no', '--keep-unit', `--directory=${folder}`];
      const ran = runIn(
        ...(['/', 'systemd-nspawn', '--boot'] as const),
        ...[...options, ...alone, `systemd.unit=${basename(STEPS)}`],
      );
      const output = readFileSync(join(folder, STEPS_LOG), 'utf8') + ran.output;
      return { exitCode: ran.exitCode, output };
    },
    copy() {
      const target = makeFolder();
      const { exitCode, output } = runIn('/', 'cp', '-a', '--reflink=auto', `${folder}/.`, target);
      if (exitCode !== 0) throw new Error(output);
      return rootAt(target);
    },
    remove() {
      rmSync(folder, { recursive: true, force: true });
      // systemd-nspawn leaves its lock beside the folder.
      rmSync(join(dirname(folder), `.#${basename(folder)}.lck`), { force: true });
    },
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
