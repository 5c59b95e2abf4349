import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { loadCatalogue } from '../fixtures/services/catalogue.js';
import { testConformance } from './vitest.ts';

const { conforming } = await loadCatalogue();
const service = conforming.find(({ id }) => id === 'slow');
if (service === undefined) {
  throw new Error('there is no slow service');
}
const server = service.create({ token: 't' });
let underWay = 0;
let most = 0;
server.prependListener('request', (_request, response) => {
  underWay += 1;
  most = Math.max(most, underWay);
  response.once('close', () => {
    underWay -= 1;
  });
});
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
afterAll(() => {
  server.close();
});
// `as`: a server that listens on a port has such an address.
const { port } = server.address() as AddressInfo;

await testConformance({
  baseUrl: `http://127.0.0.1:${port}`,
  token: 't',
  suites: ['concurrency'],
  runs: 2,
});

test('sends requests side by side in the suite that is about them', () => {
  expect(most).toBeGreaterThan(1);
});

test('refuses a policy with an answer that there is not', async () => {
  // `as`: what a program without types may give.
  const policy = { 'duplicate-key': 'conflct' as 'conflict' };
  await expect(testConformance({ baseUrl: `http://127.0.0.1:${port}`, policy })).rejects.toThrow(
    'Perhaps "conflict" was meant.',
  );
});
