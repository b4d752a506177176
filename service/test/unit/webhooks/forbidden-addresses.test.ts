import assert from 'node:assert/strict';
import { isIPv4 } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { isForbiddenAddress } from '#webhooks/https/forbidden-addresses.ts';
import { createWebhookUrlGuard } from '#webhooks/https/url-guard.ts';
import { notationsOf } from '../../support/network/ipv4-notations.ts';

const NO_RULES = { allowCidrs: [], ownAddresses: [] };

/** First and last address of every range of delivery §4, and what lies beside it. */
const FORBIDDEN = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
  ['::', '::1'],
  ['::127.0.0.1', '::8.8.8.8'],
  ['::93.184.215.14', '::ffff:0:93.184.215.14'],
  ['::ffff:0:8.8.8.8', 'ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::', '100::ffff:ffff:ffff:ffff'],
  ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002:808:808::1', '2002:7f00:1::1'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  // Not handed out to anybody.
  ['4000::', '1fff::'],
  ['fe80::1%eth0', '[::1]'],
] as const;

/** First and last address of a cloud's own ranges; single addresses are both. */
const PLATFORMS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'Azure’s platform': [['168.63.129.16', '168.63.129.16']],
  'GKE’s Services': [['34.118.224.0', '34.118.239.255']],
  'Google’s APIs inside a VPC': [
    ['199.36.153.4', '199.36.153.7'],
    ['199.36.153.8', '199.36.153.11'],
    ['2600:2d00:2:1000::', '2600:2d00:2:1000:ffff:ffff:ffff:ffff'],
    ['2600:2d00:2:2000::', '2600:2d00:2:2000:ffff:ffff:ffff:ffff'],
  ],
  'IBM Cloud’s private endpoints': [
    ['161.26.0.0', '161.26.255.255'],
    ['166.8.0.0', '166.11.255.255'],
  ],
};

/** Addresses within other ranges, at which clouds serve machine credentials and metadata. */
const METADATA = {
  'AWS, Azure, Google, OpenStack, DigitalOcean and Hetzner': ['169.254.169.254', 'fd00:ec2::254'],
  'Google and OpenStack over IPv6': ['fd20:ce::254', 'fe80::a9fe:a9fe'],
  'containers of AWS': ['169.254.170.2', '169.254.170.23', 'fd00:ec2::23'],
  'Alibaba and Oracle': ['100.100.100.200', '192.0.0.192'],
  'Tencent, Scaleway and Linode': [
    '169.254.0.23',
    '169.254.42.42',
    'fd00:42::42',
    'fd00:a9fe:a9fe::1',
  ],
};

const PUBLIC = [
  '168.63.129.15',
  '168.63.129.17',
  '34.118.223.255',
  '34.118.240.0',
  '199.36.153.3',
  '199.36.153.12',
  '2600:2d00:2:fff::1',
  '2600:2d00:2:1001::1',
  '161.25.255.255',
  '161.27.0.0',
  '166.7.255.255',
  '166.12.0.0',
  // Not the interface identifier of ISATAP.
  '2606:4700::5efe:0:7f00:1',
  '2606:4700::1:5efe:7f00:1',
  '1.0.0.0',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.88.98.255',
  '192.88.100.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.99.255',
  '198.51.101.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
  '2001:200::',
  '2001:db7:ffff::',
  '2001:db9::',
  '2003::',
  '2606:4700::1111',
  '3ffe:ffff::',
  '3fff:1000::',
  '[2606:4700::1111]',
  '64:ff9b::93.184.215.14',
];

describe('forbidden addresses', () => {
  for (const range of FORBIDDEN) {
    it(`include ${range.join(' and ')}`, () => {
      for (const address of range) assert.equal(isForbiddenAddress(address, NO_RULES), true);
    });
  }

  for (const [platform, addresses] of Object.entries({ ...PLATFORMS, ...METADATA })) {
    it(`include ${platform}`, () => {
      for (const address of addresses.flat()) {
        assert.equal(isForbiddenAddress(address, NO_RULES), true, address);
      }
    });
  }

  for (const address of PUBLIC) {
    it(`leave ${address} alone`, () => {
      assert.equal(isForbiddenAddress(address, NO_RULES), false);
    });
  }

  it('include each range of the list also where ipaddr.js takes it for public', () => {
    const classes = [ipaddr.IPv4.prototype, ipaddr.IPv6.prototype];
    const ranges = classes.map(({ range }) => range);
    for (const each of classes) each.range = () => 'unicast';
    try {
      for (const address of FORBIDDEN.flat()) {
        assert.equal(isForbiddenAddress(address, NO_RULES), true, address);
      }
    } finally {
      for (const [index, each] of classes.entries()) each.range = ranges[index] ?? each.range;
    }
  });

  it('include each range that ipaddr.js alone knows', () => {
    const { range } = ipaddr.IPv4.prototype;
    ipaddr.IPv4.prototype.range = () => 'reserved';
    try {
      assert.equal(isForbiddenAddress('93.184.215.14', NO_RULES), true);
    } finally {
      ipaddr.IPv4.prototype.range = range;
    }
  });

  const noAddresses = ['', 'localhost', '127.1', '0x7f000001', '1.2.3', '1.2.3.4.5', ':::'];
  for (const text of [...noAddresses, '93.184.[215.14', '93.184.215.1]4']) {
    it(`include ${JSON.stringify(text)}, which is no address`, () => {
      assert.equal(isForbiddenAddress(text, NO_RULES), true);
    });
  }

  it('include this host’s own addresses in any spelling, though they be public', () => {
    const ownAddresses = ['no address', '8.8.4.4', '2606:4700:0:0::1'];
    const rules = { allowCidrs: [], ownAddresses };
    const spellings = ['8.8.4.4', '::ffff:8.8.4.4', '64:ff9b::808:404', '2606:4700::1'];
    for (const own of [...spellings, '2606:4700::1%eth0']) {
      assert.equal(isForbiddenAddress(own, rules), true, own);
    }
    assert.equal(isForbiddenAddress('8.8.8.8', rules), false);
  });

  it('leave out what the operator allowed, the host’s own addresses too', () => {
    const rules = {
      allowCidrs: ['127.0.0.1/32', '::1/128', '10.1.0.0/16'],
      ownAddresses: ['127.0.0.1', '10.1.2.3'],
    };
    for (const allowed of ['127.0.0.1', '::1', '10.1.2.3', '::ffff:127.0.0.1']) {
      assert.equal(isForbiddenAddress(allowed, rules), false, allowed);
    }
    for (const other of ['127.0.0.2', '10.2.0.1', '::2']) {
      assert.equal(isForbiddenAddress(other, rules), true, other);
    }
  });
});

const IPV4_RANGES = [...FORBIDDEN.slice(0, 15), ...Object.values(PLATFORMS).flat()].filter(
  ([first]) => isIPv4(first),
);

/** The ranges again, as plain arithmetic, to check the library's against. */
function isForbiddenIpv4(value: number): boolean {
  return IPV4_RANGES.some(([first, last]) => value >= toNumber(first) && value <= toNumber(last));
}

function toNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

describe('the guard and IPv4 addresses in every notation', () => {
  const guard = createWebhookUrlGuard({
    allowCidrs: [],
    allowPorts: [443],
    resolvers: [],
    ownAddresses: () => [],
    resolveName: () => assert.fail('a literal is judged without DNS'),
  });

  const anyAddress = fc.integer({ min: 0, max: 0xffffffff });
  const nearRange = fc
    .tuple(fc.constantFrom(...IPV4_RANGES.flat()), fc.integer({ min: -2, max: 2 }))
    .map(([edge, step]) => (toNumber(edge) + step + 2 ** 32) % 2 ** 32);

  it('judges each as the IPv4 address that it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyAddress, nearRange), async (value) => {
        for (const host of notationsOf(value)) {
          for (const purpose of ['save', 'deliver'] as const) {
            const { allowed } = await guard.check(`https://${host}/hook`, purpose);
            assert.equal(allowed, !isForbiddenIpv4(value), `${host} (${purpose})`);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('refuses IPv6 tunnels and compatible forms whatever IPv4 they embed', async () => {
    await fc.assert(
      fc.asyncProperty(anyAddress, async (value) => {
        const words = `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;
        const isatap = ['0', '200', '300'].map((high) => `2606:4700::${high}:5efe:${words}`);
        for (const host of [
          ...isatap,
          `2002:${words}::1`,
          `2001:0:1:1:1:1:${words}`,
          `::${words}`,
        ]) {
          const { allowed } = await guard.check(`https://[${host}]/`, 'deliver');
          assert.equal(allowed, false, host);
        }
      }),
      { numRuns: 100 },
    );
  });
});
