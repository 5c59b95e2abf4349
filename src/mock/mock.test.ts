import { fileURLToPath } from 'node:url';
import { expect, test, afterEach, vi } from 'vitest';
import { openOrderMock } from '../../fixtures/open-order-mock.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import type { DispatcherOptions } from '../http/dispatcher.ts';
import { createMock } from './create-mock.ts';
import type { ResetPart } from './message.ts';
import { checkMockOptions, type ListenOptions } from './mock.ts';

/** As JavaScript gives them, where no compiler looks. */
function check(options: Readonly<Record<string, unknown>>): () => void {
  return () => checkMockOptions(options);
}

test('lets pass what there is, and what is undefined', () => {
  const given = { tokens: ['s'], cors: false, control: { token: 't' }, seed: 0, log: undefined, faults: [] };
  expect(check(given)).not.toThrow();
});

test.each([
  [{ token: ['s'] }, '"token": there is none of this name. Perhaps "tokens" was meant'],
  [{ tokens: 's3cret' }, '"tokens": it takes a list of texts, and is a text. Write tokens: ["secret"]'],
  [{ tokens: [5] }, '"tokens": it takes a list of texts, and is a list of something else'],
  [{ clock: 5 }, '"clock": it takes a function, and is 5'],
  [{ store: 5 }, '"store": it takes a text or a Store, and is 5'],
  [{ faults: {} }, '"faults": it takes a list of rules, and is of type object'],
  [{ seed: 1.5 }, '"seed": it takes a whole number, and is 1.5'],
  [{ policy: 'orders.policy.yaml' }, 'or what readPolicyFile() reads'],
  [{ cors: { origin: '*' } }, '"origin": there is none of this name. Perhaps "origins" was meant'],
  [{ control: true }, '"control": it takes an object or false, and is true'],
  [{ control: { tokn: 's' } }, '"tokn": there is none of this name. Perhaps "token" was meant'],
])('says what is wrong with %j', (given, sentence) => {
  expect(check(given)).toThrow(ClocheError);
  expect(check(given)).toThrow(sentence);
});

test('does not show a token', () => {
  expect(check({ tokens: 's3cret' })).not.toThrow('s3cret');
});

afterEach(() => {
  vi.useRealTimers();
});

test('await using closes a mock and where it listens', async () => {
  let url: string;
  {
    await using opened = await openOrderMock().then(({ mock }) => mock);
    ({ url } = await opened.listen());
    expect((await fetch(`${url}/nowhere`)).status).toBe(404);
  }
  await expect(fetch(`${url}/nowhere`)).rejects.toThrow(TypeError);
});

test('await using closes one place where a mock listens, and no other', async () => {
  const { mock } = await openOrderMock();
  await using other = await mock.listen();
  let url: string;
  {
    await using listener = await mock.listen();
    ({ url } = listener);
  }
  await expect(fetch(`${url}/nowhere`)).rejects.toThrow(TypeError);
  expect((await fetch(`${other.url}/nowhere`)).status).toBe(404);
});

test('refuses what is asked of a mock that is closed, in a sentence', async () => {
  const mock = await createMock(undefined, { faults: [{ delay: 3_600_000 }] });
  const early = mock.fetch('/nowhere');
  await expect.poll(() => mock.requests.list().length).toBe(1);
  const listening = mock.listen();
  await Promise.all([mock.close(), mock.close()]);
  expect((await early).status).toBe(404);
  const get = { method: 'GET', target: '/nowhere', headers: [], body: undefined };
  for (const [name, asked] of [
    ['fetch', mock.fetch('/nowhere')],
    ['send', mock.send(get)],
    ['listen', listening],
    ['listen', mock.listen()],
    ['dispatcher', mock.dispatcher()],
  ] as const) {
    await expect(asked).rejects.toMatchObject({
      code: 'MOCK_CLOSED',
      message: `Failed to call "${name}": the mock is closed. Create another, or close it when it is no longer needed.`,
    });
  }
});

test('counts what code tried again after a fault, with what it sent each time', async () => {
  await using mock = await createMock(undefined, {
    tokens: ['secret'],
    data: { '/plants': [{ id: 1, name: 'Sage' }] },
  });
  const options: object = { dispatcher: await mock.dispatcher() };
  const init: RequestInit = {
    method: 'POST',
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
    body: JSON.stringify({ id: 7, name: 'Basil' }),
    ...options,
  };
  mock.faults.put({ operation: 'createPlant', times: 1, answer: { status: 503, retryAfter: 2 } });
  const statuses: number[] = [];
  while (statuses.length === 0 || statuses.at(-1) === 503) {
    statuses.push((await fetch('https://api.example.com/plants', init)).status);
  }
  expect(statuses).toEqual([503, 200]);
  expect(mock.requests.verify({ operation: 'createPlant', body: { id: 7 } }, 2)).toMatchObject({
    verified: true,
    count: 2,
  });
  await mock.reset();
  expect(mock.requests.list()).toEqual([]);
});

test('takes the URL of a document, of whichever realm', async () => {
  const url = new URL('../../spec/plant-store.yaml', import.meta.url);
  const { contract } = await createMock(fileURLToPath(url));
  expect((await createMock(url)).contract.title).toBe(contract.title);
  // The URL of a DOM in Node is of another class.
  class DomUrl {
    readonly href = url.href;
    toString(): string {
      return this.href;
    }
  }
  // `as`: it has what is read of it.
  expect((await createMock(new DomUrl() as URL)).contract.title).toBe(contract.title);
});

test('goes by a Date that a test puts in its place while it runs', async () => {
  const { mock, post } = await openOrderMock();
  vi.useFakeTimers({ now: Date.parse('2031-05-01'), toFake: ['Date'] });
  await post('{"id":1,"name":"Ann"}');
  expect(mock.requests.list().map(({ time }) => new Date(time).getFullYear())).toEqual([2031]);
});

test('refuses options that there are not, in place of passing them over', async () => {
  const { mock } = await openOrderMock();
  // `as`: what the types refuse is what is tried.
  await expect(mock.listen({ prot: 4010 } as ListenOptions)).rejects.toThrow('Perhaps "port" was meant');
  await expect(mock.listen(4010 as ListenOptions)).rejects.toThrow('it is no object of named options');
  const nowhere = 'it is neither the name of a host nor an address';
  await expect(mock.listen({ host: '' })).rejects.toThrow(nowhere);
  await expect(mock.listen({ host: 5 as unknown as string })).rejects.toThrow(nowhere);
  await expect(mock.dispatcher({ origin: 'https://a.test' } as DispatcherOptions)).rejects.toThrow(
    'Perhaps "origins" was meant',
  );
  const origins = 'https://a.test' as unknown as readonly string[];
  await expect(mock.dispatcher({ origins })).rejects.toThrow('it is no list');
  await expect(mock.reset(['stat'] as unknown as ResetPart[])).rejects.toThrow(
    'Failed to reset the part "stat": a mock has no such part.',
  );
  await expect(mock.reset('state' as unknown as ResetPart[])).rejects.toThrow('it is no list of parts');
});
