import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  hasRedisServer,
  type RedisServer,
  startRedisServer,
  withoutRedisServer,
} from '../../../fixtures/redis-server.ts';
import { storeLaws } from '../../../fixtures/store-laws.ts';
import { describeRedisFailure, openRedisStore } from './redis-store.ts';
import type { Store } from './store.ts';

describe.skipIf(!hasRedisServer)(`a Redis store ${withoutRedisServer}`, () => {
  let server: RedisServer;
  let prefixes = 0;

  beforeAll(async () => {
    server = await startRedisServer();
  });

  afterAll(() => server.kill());

  function open(prefix: string, url = server.url): Promise<Store> {
    return openRedisStore({ url, prefix, place: 'redis://test', tell: () => undefined });
  }

  function freshPrefix(): string {
    prefixes += 1;
    return `test-${prefixes}`;
  }

  test.each(storeLaws)('$title', async ({ prove }) => {
    const prefix = freshPrefix();
    const [store, second] = [await open(prefix), await open(prefix)];
    await expect(prove(store, second)).resolves.toBeUndefined();
    await Promise.all([store.close(), second.close()]);
  });
});

function failure(message: string, code?: string): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

test.each([
  [
    failure('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'),
    'its certificate is of an authority that is not known (DEPTH_ZERO_SELF_SIGNED_CERT): NODE_EXTRA_CA_CERTS names a file of such',
  ],
  [
    failure("Hostname/IP does not match certificate's altnames", 'ERR_TLS_CERT_ALTNAME_INVALID'),
    'its certificate is for another host',
  ],
  [
    failure('80CC:error:0A00045C:SSL routines\n', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'),
    'it asks for a certificate of the client, which a URL cannot give',
  ],
  [failure('Unknown RESP type 72 "H". Please report this.'), 'what listens there is no Redis'],
  [
    failure("ERR The user executing the script can't run this command or subcommand script: cd6a"),
    'the user may not do there what Cloche needs',
  ],
  [failure('NOREPLICAS Not enough good replicas to write.'), 'too few replicas follow it'],
  [
    failure('MOVED 3999 127.0.0.1:6381'),
    'it is in a cluster: a store takes redis+cluster: then, and a queue needs another Redis',
  ],
  [
    failure('ERR Script attempted to access a non local key in a cluster node script: 5f2'),
    'it is in a cluster: a store takes redis+cluster: then, and a queue needs another Redis',
  ],
  [failure('CLUSTERDOWN Hash slot not served'), 'no node of the cluster serves the keys'],
  [failure('LOADING Redis is loading the dataset in memory'), 'it is still reading its data'],
  [failure('ERR of a kind that is not known yet.\n'), 'ERR of a kind that is not known yet'],
])('says what "%s" means', (error, reason) => {
  expect(describeRedisFailure(error)).toBe(reason);
});
