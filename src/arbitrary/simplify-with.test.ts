import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { simplifyWith } from './shrink-request.ts';

/** Texts that are made smaller by their halves. */
function* halves(text: string): Generator<string> {
  const middle = Math.ceil(text.length / 2);
  yield* text.length > 1 ? [text.slice(0, middle), text.slice(middle)] : [];
}

async function findSmallest(input: {
  readonly arbitrary: Arbitrary<string>;
  readonly fails: (text: string) => boolean;
  readonly examples?: readonly string[];
  readonly path?: string;
}) {
  const tried: string[] = [];
  const details = await fc.check(
    fc.asyncProperty(input.arbitrary, async (text) => {
      tried.push(text);
      return Promise.resolve(!input.fails(text));
    }),
    {
      seed: 1,
      numRuns: 50,
      examples: (input.examples ?? []).map((text): [string] => [text]),
      ...(input.path === undefined ? {} : { path: input.path }),
    },
  );
  return { smallest: details.counterexample?.[0], path: details.counterexamplePath ?? '', tried };
}

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'x'), minLength: 8, maxLength: 30 });

test('makes a failing example smaller', async () => {
  const arbitrary = simplifyWith(letters, halves);
  const found = await findSmallest({
    arbitrary,
    fails: (text) => text.includes('x'),
    examples: ['aabbxaab'],
  });
  expect(found.smallest).toBe('x');
});

test('makes a generated case smaller', async () => {
  const arbitrary = simplifyWith(letters, halves);
  expect(await findSmallest({ arbitrary, fails: (text) => text.includes('x') })).toMatchObject({
    smallest: 'x',
  });
});

test('leaves to the inner arbitrary what it cannot make smaller itself', async () => {
  const arbitrary = simplifyWith(fc.integer({ min: 0, max: 1_000 }).map(String), () => []);
  expect(await findSmallest({ arbitrary, fails: (text) => Number(text) > 7 })).toMatchObject({
    smallest: '8',
  });
});

test('replays the smallest case by its path, and nothing before it', async () => {
  const arbitrary = simplifyWith(letters, halves);
  const examples = ['aabb', 'aabbxaabbabxb'];
  const fails = (text: string): boolean => text.includes('x');
  const found = await findSmallest({ arbitrary, fails, examples });
  const again = await findSmallest({ arbitrary, fails, examples, path: found.path });
  expect(again).toMatchObject({ smallest: found.smallest, path: found.path });
  expect(again.tried[0]).toBe(found.smallest);
});

test('offers no case twice on the way down, and not without end', async () => {
  const arbitrary = simplifyWith(letters, function* everything() {
    for (let count = 0; ; count += 1) {
      yield 'x'.repeat(count % 500);
    }
  });
  const example = 'x'.repeat(400);
  const { tried } = await findSmallest({ arbitrary, fails: (text) => text === example, examples: [example] });
  expect(tried).toHaveLength(81);
  expect(new Set(tried).size).toBe(tried.length);
});
