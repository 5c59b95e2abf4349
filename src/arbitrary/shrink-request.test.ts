import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import type { Operation } from '../contract/contract.ts';
import type { JsonObject } from '../json/value.ts';
import { type Body, plainKey, type RequestCase } from './request-case.ts';
import { buildRequest, hasValidBody } from './request.ts';
import { simplifyRequest, simplifyWith } from './shrink-request.ts';

/** A create whose clients choose the key, `id`. */
function createOf(properties: JsonObject): Operation {
  const contract = contractOf({
    paths: {
      '/orders': {
        post: {
          parameters: [{ name: 'dry', in: 'query', schema: { type: 'boolean' } }],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['id', 'name'],
                  properties: {
                    id: { type: 'integer', format: 'int64' },
                    name: { type: 'string' },
                    ...properties,
                  },
                },
              },
            },
          },
          responses: { '201': { description: 'created' } },
        },
      },
    },
  });
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('no operation');
  return operation;
}

const create = createOf({ tag: { type: 'string' } });

function show(request: RequestCase): string {
  return (request.body ?? [])
    .map((part) => (typeof part === 'string' ? part : part instanceof Uint8Array ? '□' : '#'))
    .join('');
}

/** Goes down as long as a smaller request still fails, and counts how many were tried. */
function descend(
  large: RequestCase,
  fails: (request: RequestCase) => boolean,
  operation: Operation | undefined = create,
): { readonly smallest: RequestCase; readonly tries: number } {
  const tried = new Set<string>();
  let smallest: RequestCase | undefined = large;
  let next: RequestCase | undefined = large;
  while (next !== undefined) {
    smallest = next;
    next = undefined;
    for (const smaller of simplifyRequest({ large: smallest, operation, bodies: 'any' })) {
      const isNew = !tried.has(JSON.stringify(smaller));
      tried.add(JSON.stringify(smaller));
      if (isNew && fails(smaller)) {
        next = smaller;
        break;
      }
    }
  }
  return { smallest, tries: tried.size };
}

function withBody(...body: Body): RequestCase {
  return buildRequest(create, { body });
}

/** A fault of a service that looks at nothing without a key and a name. */
function whole(isCause: (text: string) => boolean): (text: string) => boolean {
  return (text) => /"id":"?#/u.test(text) && text.includes('"name":') && isCause(text);
}

const full = withBody('{"id":', plainKey, ',"name":"abcé Def","tag":"nVL","extra":[1,{"deep":"x"}]}');

test.each([
  ['any body at all', full, whole(() => true), '{"id":#,"name":"a"}'],
  ['a character of one text', full, whole((text) => text.includes('é')), '{"id":#,"name":"é"}'],
  [
    'a property that is optional',
    full,
    whole((text) => text.includes('"tag"')),
    '{"id":#,"name":"a","tag":"a"}',
  ],
  [
    'a property that nobody declared',
    full,
    whole((text) => text.includes('extra')),
    '{"id":#,"name":"a","extra":[]}',
  ],
  [
    'what stands deep',
    full,
    whole((text) => text.includes('"deep"')),
    '{"id":#,"name":"a","extra":[{"deep":"a"}]}',
  ],
  [
    'a property that is missing',
    withBody('{"id":', plainKey, ',"tag":"nVL"}'),
    (text: string) => text.includes('#') && !text.includes('name'),
    '{"id":#}',
  ],
  [
    'a key that is missing',
    withBody('{"name":"veO","tag":"nVL"}'),
    (text: string) => text.includes('name') && !text.includes('#'),
    '{"name":"a"}',
  ],
  [
    'a key that is a text',
    withBody('{"id":"', plainKey, '","name":"veO","tag":"nVL"}'),
    whole((text) => text.includes('"#"')),
    '{"id":"#","name":"a"}',
  ],
  [
    'a number with many digits',
    withBody('{"id":', plainKey, ',"name":"veO","extra":9007199254740993.5}'),
    whole((text) => /"extra":\d{6}/u.test(text)),
    '{"id":#,"name":"a","extra":900719}',
  ],
  [
    'a body in an array',
    withBody('[{"id":', plainKey, ',"name":"veO","tag":"nVL"}]'),
    (text: string) => text.startsWith('[{') && text.includes('#'),
    '[{"id":#}]',
  ],
  [
    'a text that ends too early',
    withBody('{"id":', plainKey, ',"name":"veO","tag":"nVL"'),
    (text: string) => !text.endsWith('}') && text.includes('"name":"'),
    '"name":"a"',
  ],
  [
    'a comma too many',
    withBody('{"id":', plainKey, ',"name":"veO","tag":"nVL",}'),
    (text: string) => /"id":#.*"name":.*,\}$/u.test(text),
    '"id":#"name":,}',
  ],
  [
    'bytes that are no text',
    withBody('{"id":', plainKey, ',"name":"veO', Uint8Array.of(255), '"}'),
    (text: string) => text.includes('□'),
    '□',
  ],
  ['letters that are no JSON', withBody('hello'), (text: string) => !text.startsWith('{'), 'h'],
])('brings down to its cause: %s', (_cause, large, isCause, expected) => {
  const { smallest, tries } = descend(large, (request) => isCause(show(request)));
  expect(show(smallest)).toBe(expected);
  expect(tries).toBeLessThan(80);
});

test('never puts a number in the place of a key', () => {
  const literal = withBody('{"id":9223372036854775807,"name":"veO","tag":"nVL"}');
  const bodies = [full, literal].flatMap((large) =>
    [...simplifyRequest({ large, operation: create, bodies: 'any' })].map(show),
  );
  const ids = bodies.flatMap((body) => /"id":([^,}]*)/u.exec(body)?.[1] ?? []);
  expect(new Set(ids)).toEqual(new Set(['#', '9223372036854775807']));
});

test('takes texts of three letters where shorter ones do not show the fault', () => {
  const { smallest } = descend(full, (request) => /#.*"name":"\w{3}/u.test(show(request)));
  expect(show(smallest)).toBe('{"id":#,"name":"aaa"}');
});

test('keeps to the schema where that is stricter than three letters', () => {
  const operation = createOf({
    name: { type: 'string', minLength: 5 },
    code: { type: 'string', pattern: '^[A-Z]{2}$' },
  });
  const large = buildRequest(operation, { body: ['{"id":', plainKey, ',"name":"abcdefgh","code":"XY"}'] });
  const { smallest } = descend(large, () => true, operation);
  expect(show([...simplifyRequest({ large, operation, bodies: 'any' })][0] ?? large)).toBe(
    '{"id":#,"name":"aaaaa"}',
  );
  expect(show(smallest)).not.toContain('code');
});

test('finds one property among forty with few tries', () => {
  const names = [...Array(40).keys()].map((index) => `property${index}`);
  const operation = createOf(Object.fromEntries(names.map((name) => [name, { type: 'string' }])));
  const members = names.map((name) => `"${name}":"text"`).join(',');
  const large = buildRequest(operation, { body: ['{"id":', plainKey, `,"name":"veO",${members}}`] });
  const { smallest, tries } = descend(
    large,
    (request) => whole((text) => text.includes('"property17"'))(show(request)),
    operation,
  );
  expect(show(smallest)).toBe('{"id":#,"name":"a","property17":"a"}');
  expect(tries).toBeLessThan(40);
});

test('leaves out what the fault does not need besides the body', () => {
  const large = buildRequest(create, {
    body: ['{"id":', plainKey, ',"name":"veO"}'],
    contentType: 'application/json; charset=utf-8',
    headers: [['Accept', 'text/html']],
    credentials: { kind: 'none' },
    framing: 'chunked',
  });
  const { smallest } = descend(
    { ...large, target: `${large.target}?dry=true` },
    (request) => request.framing === 'chunked' && whole(() => true)(show(request)),
  );
  expect(smallest).toEqual(
    buildRequest(create, { body: ['{"id":', plainKey, ',"name":"a"}'], framing: 'chunked' }),
  );
});

test('leaves nothing out of what is plain, small and valid', () => {
  const large = withBody('{"id":', plainKey, ',"name":"a"}');
  expect([...simplifyRequest({ large, operation: create, bodies: 'any' })]).toEqual([]);
});

test('leaves whole properties out of what is small and invalid', () => {
  const large = withBody('{"id":', plainKey, ',"name":1}');
  const bodies = [...simplifyRequest({ large, operation: create, bodies: 'any' })].map(show);
  expect(bodies).toEqual(expect.arrayContaining(['{}', '{"id":#}', '{"name":1}']));
});

test.each([
  ['a plain body beside an odd header', withBody('{"id":', plainKey, ',"name":"veO"}')],
  ['every property', full],
  ['unusual white space', withBody(' { "id" : ', plainKey, ' , "name" : "veO" , "tag" : "nVL" } ')],
  ['escapes', withBody('{"id":', plainKey, String.raw`,"n\u0061me":"veO","tag":"nVL"}`)],
])('leaves a valid body valid: %s', (_title, plain) => {
  const large: RequestCase = { ...plain, headers: [...plain.headers, ['Accept', 'text/html']] };
  const smaller = [...simplifyRequest({ large, operation: create, bodies: 'any' })];
  expect(smaller.length).toBeGreaterThan(1);
  expect(smaller.filter((request) => !hasValidBody(request, create)).map(show)).toEqual([]);
});

test('keeps to the simplest bodies where a valid one has to stay valid', () => {
  const requests = [...simplifyRequest({ large: full, operation: create, bodies: 'simplest' })];
  expect(requests.map(show)).toEqual(['{"id":#,"name":"a"}', '{"id":#,"name":"aaa"}']);
});

test('comes to an end soon for a list that has to be long, which has more ways to be smaller than can be looked at', () => {
  const numbers = createOf({ list: { type: 'array', minItems: 10_000, items: { type: 'integer' } } });
  const list = JSON.stringify(Array.from({ length: 10_000 }, (_, index) => index + 100_000));
  const large = buildRequest(numbers, { body: ['{"id":', plainKey, ',"name":"veO","list":', list, '}'] });
  const smaller = [...simplifyRequest({ large, operation: numbers, bodies: 'any' })];
  expect(smaller.length).toBeLessThan(1_000);
});

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

test('makes nothing of a case, and asks for nothing smaller, once it is over', async () => {
  let made = 0;
  let isOver = false;
  const arbitrary = simplifyWith(
    letters,
    function* counted(text) {
      made += 1;
      yield* halves(text);
    },
    () => isOver,
  );
  const fails = (text: string): boolean => {
    isOver = text.includes('x');
    return isOver;
  };
  expect(await findSmallest({ arbitrary, fails, examples: ['aabbxaab'] })).toMatchObject({
    smallest: 'aabbxaab',
    tried: ['aabbxaab'],
  });
  expect(made).toBe(0);
});
