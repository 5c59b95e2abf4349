import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { FaultMatcher, type FaultSubject } from './fault-rules.ts';
import type { FaultRule } from './fault.ts';

const plantStore = fileURLToPath(new URL('../../../spec/plant-store.yaml', import.meta.url));
const { operations } = await loadContract(plantStore, { followReferences: false });

const create: FaultSubject = {
  method: 'POST',
  sentPath: '/plants',
  path: '/plants',
  template: '/plants',
  operation: 'createPlant',
};

function open(rules: readonly FaultRule[], seed = 1): FaultMatcher {
  return new FaultMatcher({ seed, operations: () => operations, rules });
}

/** Which of so many requests a rule takes, as text: `x..x`. */
function draw(book: FaultMatcher, count: number): string {
  return Array.from({ length: count }, () => (book.take(create) === undefined ? '.' : 'x')).join('');
}

test('takes the next requests, as many as it says, and counts all', () => {
  const book = open([{ answer: { status: 503 }, times: 2 }]);
  expect(draw(book, 5)).toBe('xx...');
  expect(book.list()).toEqual([
    { id: 'fault-1', answer: { status: 503 }, times: 2, enabled: true, seen: 5, applied: 2 },
  ]);
});

test('takes a share of the requests, the same for the same seed', () => {
  const rules: readonly FaultRule[] = [{ connection: 'drop', share: 0.3 }];
  const first = draw(open(rules), 1000);
  expect(draw(open(rules), 1000)).toBe(first);
  expect(draw(open(rules, 2), 1000)).not.toBe(first);
  expect(first.replaceAll('.', '').length).toBeGreaterThan(230);
  expect(first.replaceAll('.', '').length).toBeLessThan(370);
});

test('what a rule does changes nothing for another', () => {
  const share: FaultRule = { id: 'share', path: '/plants', connection: 'drop', share: 0.5 };
  const alone = open([share]);
  const beside = open([{ id: 'none', path: '/other', connection: 'drop' }, share]);
  expect(draw(beside, 50)).toBe(draw(alone, 50));
});

test('takes no request for a share of 0, and each for a share of 1', () => {
  expect(draw(open([{ connection: 'drop', share: 0 }]), 50)).not.toContain('x');
  expect(draw(open([{ connection: 'drop', share: 1 }]), 50)).not.toContain('.');
});

test('lets the next rule have what the first one does not take', () => {
  const book = open([
    { id: 'once', answer: { status: 500 }, times: 1 },
    { id: 'slow', delay: 5 },
  ]);
  expect([book.take(create)?.id, book.take(create)?.id]).toEqual(['once', 'slow']);
});

test.each<[FaultRule, boolean]>([
  [{ operation: 'createPlant', delay: 1 }, true],
  [{ method: 'post', delay: 1 }, true],
  [{ method: 'GET', delay: 1 }, false],
  [{ path: '/plants', delay: 1 }, true],
  [{ path: '/plants/7', delay: 1 }, false],
  [{ operation: 'createPlant', path: '/plants/7', delay: 1 }, false],
  [{ delay: 1, enabled: false }, false],
])('%j is for a create: %s', (rule, isFor) => {
  expect(open([rule]).take(create) !== undefined).toBe(isFor);
});

test.each(['/plants/7', '/v1/plants/7', '/plants/{id}'])('knows a path as %s', (path) => {
  const subject = { ...create, path: '/plants/7', sentPath: '/v1/plants/7', template: '/plants/{id}' };
  expect(open([{ path, delay: 1 }]).take(subject)).toBeDefined();
});

test('draws each delay from its range, the same for the same seed', () => {
  const delays = (seed: number): readonly unknown[] => {
    const book = open([{ delay: [200, 400] }], seed);
    return Array.from({ length: 20 }, () => book.take(create)?.delayMs);
  };
  expect(delays(1)).toEqual(delays(1));
  expect(delays(1)).not.toEqual(delays(2));
  expect(new Set(delays(1)).size).toBeGreaterThan(10);
  expect(delays(1).every((delay) => Number(delay) >= 200 && Number(delay) <= 400)).toBe(true);
});

test('puts a rule in the place of the one with its id, and counts it from 0', () => {
  const book = open([{ id: 'a', delay: 1 }, { delay: 2 }]);
  book.take(create);
  const [first] = book.list();
  // A list is what somebody changes and sends back.
  expect(first && book.put({ ...first, enabled: false })).toEqual({
    id: 'a',
    delay: 1,
    enabled: false,
    seen: 0,
    applied: 0,
  });
  expect(book.list().map(({ id }) => id)).toEqual(['a', 'fault-1']);
});

test('deletes, clears, and goes back to how it was at the start', () => {
  const book = open([{ id: 'a', delay: 1 }]);
  book.put({ id: 'b', delay: 2 });
  book.take(create);
  expect([book.delete('a'), book.delete('a')]).toEqual([true, false]);
  book.clear();
  expect([book.list(), book.isEmpty()]).toEqual([[], true]);
  book.reset();
  expect(book.list()).toEqual([{ id: 'a', delay: 1, enabled: true, seen: 0, applied: 0 }]);
});

test('takes up other rules for its start, and leaves what was changed since', () => {
  const book = open([{ id: 'a', delay: 1 }, { delay: 2 }, { id: 'c', delay: 3 }, { id: 'gone', delay: 4 }]);
  book.put({ id: 'mine', delay: 9 });
  book.put({ id: 'a', delay: 1, enabled: false });
  book.delete('c');
  book.take(create);
  const rules = [
    { id: 'new', delay: 5 },
    { id: 'a', delay: 1 },
    { delay: 6 },
    { id: 'c', delay: 3 },
    { delay: 2 },
  ];
  expect(book.replaceStart(rules)).toEqual({ added: ['new', 'fault-2'], changed: [], removed: ['gone'] });
  expect(book.list().map(({ id, delay, enabled, seen }) => [id, delay, enabled, seen])).toEqual([
    ['new', 5, true, 0],
    ['a', 1, false, 0],
    ['fault-2', 6, true, 0],
    ['fault-1', 2, true, 1],
    ['mine', 9, true, 0],
  ]);
  expect(
    book.replaceStart([
      { id: 'a', delay: 2 },
      { id: 'mine', delay: 9 },
    ]),
  ).toEqual({
    added: ['mine'],
    changed: ['a'],
    removed: ['new', 'fault-2', 'c', 'fault-1'],
  });
  expect(book.list().map(({ id, delay, enabled }) => [id, delay, enabled])).toEqual([
    ['a', 2, true],
    ['mine', 9, true],
  ]);
  book.clear();
  book.reset();
  expect(book.list()).toHaveLength(2);
});

test('stays as it is where a rule of another start cannot be', () => {
  const book = open([{ id: 'a', delay: 1 }]);
  expect(() => book.replaceStart([{ id: 'b', delay: 1 }, { delay: -1 }])).toThrow('/delay must be');
  expect(book.list().map(({ id }) => id)).toEqual(['a']);
});

test('has the later of two rules of one name', () => {
  const book = open([
    { id: 'a', delay: 1 },
    { id: 'b', delay: 2 },
    { id: 'a', delay: 3 },
  ]);
  expect(book.list().map(({ id, delay }) => [id, delay])).toEqual([
    ['a', 3],
    ['b', 2],
  ]);
});

test('goes back to its start though the contract has lost what a rule names', () => {
  let known = operations;
  const rules = [{ operation: 'createPlant', delay: 1 }];
  const book = new FaultMatcher({ seed: 1, operations: () => known, rules });
  known = [];
  book.reset();
  expect(book.list()).toHaveLength(1);
});

test('refuses a rule that cannot be, and keeps the others', () => {
  const book = open([{ id: 'a', delay: 1 }]);
  expect(() => book.put({ operation: 'createPlants', delay: 1 })).toThrow(
    'Failed to use as a fault rule "{"operation":"createPlants","delay":1}": /operation there is no operation "createPlants". Perhaps "createPlant" was meant.',
  );
  expect(book.list()).toHaveLength(1);
});
