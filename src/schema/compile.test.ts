import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ClocheError } from '../errors/cloche-error.ts';
import { ExactNumber } from '../json/exact-number.ts';
import { parseJson } from '../json/parse.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { compileSchema, createSharedDefinitions, rememberByReading, type ValidationMode } from './compile.ts';
import type { JsonSchema } from './walk.ts';

const usual: ValidationMode = { formats: 'assert', integers: 'by-value' };

function read(text: string): { readonly value: JsonValue; readonly exact: boolean } {
  const parsed = parseJson(text);
  if (parsed.kind !== 'json') throw new Error(`${text}: ${parsed.reason}`);
  return parsed;
}

function accepts(schema: string, body: string, reading = usual): boolean {
  // `as`: the tests write schemas as JSON texts.
  const compiled = compileSchema({ schema: read(schema).value as JsonSchema, pointer: '' });
  const { value, exact } = read(body);
  return compiled.validator(reading)(value, exact).length === 0;
}

/** schema, what it accepts, what it refuses */
const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  [
    '{"type":"integer"}',
    ['1', '1.0', '1e2', '10e-1', '-0', '9007199254740993', '1e400'],
    ['1.5', '1e-1', '"1"', 'null', '{}', '[]', '9007199254740993.5'],
  ],
  ['{"type":"number"}', ['1', '1.50', '1e400'], ['"1"', 'null', '{}']],
  ['{"type":"object"}', ['{}', '{"a":1.0}'], ['1.0', '9007199254740993', '[]', '[1.0]']],
  ['{"type":["string","null"]}', ['null', '"a"'], ['1.0', '0']],
  [
    '{"type":"integer","format":"int64"}',
    ['9223372036854775807', '-9223372036854775808', '9223372036854775807.0', '0'],
    [
      '9223372036854775808',
      '-9223372036854775809',
      '1e19',
      '10000000000000000000',
      '-9223372036854776000',
      '1e400',
    ],
  ],
  [
    '{"type":"integer","format":"int32"}',
    ['2147483647', '-2147483648', '2147483647.0'],
    ['2147483648', '-2147483649', '2147483648.0', '9007199254740993'],
  ],
  ['{"format":"int64"}', ['"a"', '1'], ['1.5', '1e19']],
  ['{"type":"number","format":"double"}', ['1.5', '1.50', '1e19'], ['"1"']],
  ['{"type":"integer","format":"unheard-of"}', ['1', '1.0'], ['1.5']],
  [
    '{"maximum":9223372036854775807}',
    ['9223372036854775807', '1', '"a"'],
    ['9223372036854775808', '9223372036854776000', '9223372036854775807.1'],
  ],
  [
    '{"minimum":-9223372036854775808}',
    ['-9223372036854775808'],
    ['-9223372036854775809', '-9223372036854776000'],
  ],
  ['{"minimum":1.0}', ['1', '1.0', '1.000000000000000000001'], ['0.99', '0.999999999999999999999']],
  ['{"exclusiveMinimum":1}', ['1.000000000000000000001', '2'], ['1', '1.0']],
  ['{"exclusiveMaximum":1}', ['0.999999999999999999999', '0'], ['1', '1.0', '1.000000000000000000001']],
  ['{"multipleOf":0.1}', ['0.3', '0.30', '1', '0.7'], ['0.35', '0.350', '0.3000000000000000000001']],
  ['{"multipleOf":3}', ['9007199254740993', '9', '9.0'], ['9007199254740994', '10', '10.0']],
  [
    '{"enum":[1,"a",null]}',
    ['1', '1.0', '10e-1', '"a"', 'null'],
    ['2', '2.0', '"1"', '1.0000000000000000000001'],
  ],
  ['{"enum":[9007199254740993]}', ['9007199254740993'], ['9007199254740992', '9007199254740994']],
  ['{"const":{"a":[1.0]}}', ['{"a":[1]}', '{"a":[1.00]}'], ['{"a":[1.01]}', '{"a":1}', '{}']],
  ['{"const":0}', ['0', '-0', '0.0', '0e5'], ['false', '""', '1e-400']],
  [
    '{"uniqueItems":true}',
    ['[1,"1",true]', '[9007199254740992,9007199254740993]', '[{"a":1},{"a":2}]'],
    ['[1,1.0]', '[1e1,10]', '[{"a":1,"b":2},{"b":2.0,"a":1}]', '[0,-0]'],
  ],
  ['{"required":["a"]}', ['{"a":1}', '1.0', '"x"'], ['{}', '{"b":1.0}']],
  ['{"minProperties":1}', ['{"a":1}', '1.0', '1'], ['{}']],
  ['{"maxProperties":0}', ['{}', '1.0'], ['{"a":1.0}']],
  [
    '{"properties":{"text":{"type":"integer"},"decimal":false}}',
    ['1.0', '{"text":1.0}'],
    ['{"text":"1"}', '{"decimal":1.0}'],
  ],
  [
    '{"properties":{"a":true},"additionalProperties":false}',
    ['1.0', '{"a":1.0}'],
    ['{"b":1.0}', '{"__proto__":1}'],
  ],
  [
    '{"allOf":[{"properties":{"a":{"minimum":1.0}}}],"unevaluatedProperties":false}',
    ['1.0', '{"a":1.0}'],
    ['{"b":1.0}', '{"a":0.0}'],
  ],
  ['{"required":["constructor"]}', ['{"constructor":1}'], ['{}', '{"a":1.0}']],
  ['{"required":["__proto__"]}', ['{"__proto__":1}'], ['{}', '{"a":1.0}']],
  [
    '{"properties":{"constructor":{"type":"string"},"__proto__":{"type":"string"}}}',
    ['{}', '{"__proto__":"a","constructor":"b"}'],
    ['{"__proto__":1}', '{"constructor":1.0}'],
  ],
  ['{"dependentRequired":{"a":["b"]}}', ['{"a":1.0,"b":1}', '1.0', '{}'], ['{"a":1.0}', '{"a":1}']],
  ['{"minLength":1.0,"maxLength":2e0}', ['"a"', '"😀😀"', '1.0'], ['""', '"abc"']],
  ['{"type":"string","nullable":true}', ['"a"'], ['null']],
  ['{"type":"string","format":"date-time"}', ['"2026-11-21T10:00:00Z"'], ['"2026-11-21"']],
  ['{"pattern":"^[\\\\w\\\\-]+$"}', ['"a-b"', '1.0'], ['"a b"']],
  [
    '{"format":"regex"}',
    [String.raw`"^[^\\u{10000}-\\u{10FFFF}]*$"`, String.raw`"\\p{Lu}"`, '1.0'],
    [String.raw`"a\\-b"`, String.raw`"a\\Z"`, '"("'],
  ],
  [
    '{"anyOf":[{"type":"integer"},{"type":"object","required":["a"]}]}',
    ['1', '1.0', '{"a":1.0}'],
    ['1.5', '{"b":1.0}', '{}'],
  ],
  ['{"oneOf":[{"type":"integer"},{"type":"number","minimum":2}]}', ['1.0', '2.5'], ['2', '2.0', '1.5']],
  ['{"not":{"type":"integer"}}', ['1.5', '{"a":1.0}'], ['1', '1.0']],
  [
    '{"$ref":"#/$defs/T","$defs":{"T":{"properties":{"c":{"$ref":"#/$defs/T"},"v":{"type":"integer"}}}}}',
    ['{"c":{"c":{"v":1.0}}}'],
    ['{"c":{"c":{"v":1.5}}}', '{"c":{"c":{"v":"1"}}}'],
  ],
  ['false', [], ['1', '1.0']],
  ['{"id":"x","$async":true,"type":"string"}', ['"a"'], ['1']],
];

test.each(cases)('%s accepts and refuses by value', (schema, accepted, refused) => {
  expect(accepted.filter((body) => !accepts(schema, body))).toEqual([]);
  expect(refused.filter((body) => accepts(schema, body))).toEqual([]);
});

test('reads formats as it is told', () => {
  const schema = '{"properties":{"n":{"type":"integer","format":"int64"},"s":{"format":"email"}}}';
  const large = '{"n":9223372036854775808}';
  const string = '{"s":"x"}';
  const verdicts = (['assert', 'strings', 'ignore'] as const).map((formats) =>
    [large, string].map((body) => accepts(schema, body, { ...usual, formats })),
  );
  expect(verdicts).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ]);
});

test('takes only digits for an integer where it is told so', () => {
  const reading: ValidationMode = { formats: 'assert', integers: 'digits' };
  const integers = ['1', '-0', '9007199254740993', '1.0', '1e2', '1e+21', '1.5'];
  expect(integers.filter((body) => accepts('{"type":"integer"}', body, reading))).toEqual([
    '1',
    '-0',
    '9007199254740993',
  ]);
});

test('gives the same validator for the same reading, and the same empty list for valid values', () => {
  const compiled = compileSchema({ schema: { type: 'integer' }, pointer: '' });
  const validate = compiled.validator(usual);
  expect(compiled.validator({ ...usual })).toBe(validate);
  expect(validate(1, false)).toBe(validate(new ExactNumber('1.0'), true));
});

test.each([
  ['{"pattern":"["}', /regular expression/u],
  ['{"type":"strin"}', /strin/u],
  ['{"$ref":"#/$defs/gone"}', /gone/u],
  ['{"$dynamicRef":"#a"}', /dynamicRef/u],
  ['{"maximum":"9"}', /maximum/u],
  ['{"multipleOf":0}', /multipleOf/u],
])('refuses to compile %s and names its place', (schema, reason) => {
  const compile = (): unknown =>
    // `as`: the tests write schemas as JSON texts.
    compileSchema({ schema: read(schema).value as JsonSchema, pointer: '/components/schemas/A' }).validator(
      usual,
    );
  expect(compile).toThrow(ClocheError);
  expect(compile).toThrow(reason);
  expect(compile).toThrow('"/components/schemas/A"');
});

const leaf = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, 'a', '', 'ab', 'constructor'),
  fc.integer({ min: -3, max: 6 }),
  fc.constantFrom<JsonValue>(0.5, 1.5, 2147483648, 1e19, 1e21, -9223372036854775808),
);
const { value: anyValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'toString'), tie('value'), { maxKeys: 3 }),
  ),
}));
const smallCount = fc.integer({ min: 0, max: 2 });
const { schema: anySchema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.boolean(),
    fc.record<JsonObject>(
      {
        type: fc.constantFrom<JsonValue>('integer', 'number', 'string', 'object', 'array', [
          'null',
          'integer',
        ]),
        format: fc.constantFrom('int32', 'int64', 'email'),
        minimum: fc.integer({ min: -1, max: 3 }),
        exclusiveMaximum: fc.integer({ min: -1, max: 3 }),
        multipleOf: fc.constantFrom(0.5, 1, 2),
        enum: fc.array(leaf, { minLength: 1, maxLength: 3 }),
        const: leaf,
        minLength: smallCount,
        uniqueItems: fc.boolean(),
        required: fc.subarray(['a', 'b', 'toString']),
        minProperties: smallCount,
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'toString'), tie('schema'), { maxKeys: 2 }),
        additionalProperties: tie('schema'),
        items: tie('schema'),
        contains: tie('schema'),
        not: tie('schema'),
        if: tie('schema'),
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: tie('schema'),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        unevaluatedProperties: tie('schema'),
      },
      { requiredKeys: [] },
    ),
  ),
}));

function spellExactly(value: JsonValue): JsonValue {
  if (typeof value === 'number') {
    return new ExactNumber(
      Number.isInteger(value) && Math.abs(value) < 1e21
        ? `${BigInt(value)}.0`
        : `${value}`.replace('e', '0e'),
    );
  }
  if (Array.isArray(value)) return value.map((item) => spellExactly(item));
  return value !== null && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, spellExactly(member)]))
    : value;
}

test('judges plain values alike with both validators, and other spellings as the plain number', () => {
  fc.assert(
    fc.property(anySchema, anyValue, (schema, value) => {
      const validate = compileSchema({ schema, pointer: '' }).validator(usual);
      const plain = validate(value, false).length === 0;
      expect(validate(value, true).length === 0).toBe(plain);
      expect(validate(spellExactly(value), true).length === 0).toBe(plain);
    }),
    { numRuns: 150 },
  );
});

test('a schema that the optimizer of ajv would write faulty code for is judged', () => {
  const schema = {
    if: { not: true, oneOf: [{ items: false }, {}] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { unevaluatedProperties: false },
  };
  const validate = compileSchema({ schema, pointer: '' }).validator(usual);
  expect(validate({ name: 'Ann' }, false)).toEqual([]);
});

const readings = (['assert', 'strings', 'ignore'] as const).flatMap((formats) =>
  (['by-value', 'digits'] as const).map((integers) => ({ formats, integers })),
);

test('makes one thing for each reading, and gives the same one again', () => {
  const remembered = rememberByReading((reading) => ({ reading }));
  const first = readings.map((reading) => remembered({ ...reading }));
  expect(first.map(({ reading }) => reading)).toEqual(readings);
  expect(readings.map((reading) => remembered({ ...reading }))).toEqual(first);
  expect(new Set([...first, ...readings.map(remembered)]).size).toBe(readings.length);
});

test('tries again where making one failed', () => {
  let calls = 0;
  const remembered = rememberByReading((): object => {
    calls += 1;
    throw new Error('unusable');
  });
  const ask = (): object => remembered({ formats: 'ignore', integers: 'digits' });
  expect(ask).toThrow('unusable');
  expect(ask).toThrow('unusable');
  expect(calls).toBe(2);
});

test('tells the patterns of a schema apart, those that backtrack without bound among them', () => {
  const properties = { a: { pattern: '^(a+)+$' }, b: { pattern: '^(b+)+$' } };
  const compiled = compileSchema({ schema: { properties }, pointer: '' });
  const validate = compiled.validator({ formats: 'assert', integers: 'by-value' });
  expect(validate({ a: 'aa', b: 'bb' }, false)).toEqual([]);
  expect(validate({ a: 'bb', b: 'aa' }, false)).toHaveLength(2);
});

test('compares objects by their members, whatever these are called', () => {
  const schema: JsonObject = { enum: [{ toString: 'a' }, { valueOf: [1] }, { constructor: 1 }] };
  const compiled = compileSchema({
    schema: { items: schema, prefixItems: [{ const: { toString: 1 } }] },
    pointer: '',
  });
  const validate = compiled.validator({ formats: 'assert', integers: 'by-value' });
  expect(validate([{ toString: 1 }, { toString: 'a' }, { valueOf: [1] }, { constructor: 1 }], false)).toEqual(
    [],
  );
  expect(
    validate([{ toString: 2 }, { toString: 'b' }, { valueOf: [2] }, { constructor: 2 }], false),
  ).toHaveLength(4);
});

test('makes no problem of a long text that a pattern cannot judge, under not and as a name either', () => {
  // It looks ahead in the middle, in a group that is repeated.
  const pattern = '^(a(?=b|c|$)|b|c)+$';
  const long = 'abc'.repeat(100);
  const judge = (schema: JsonObject, value: JsonValue): number =>
    compileSchema({ schema, pointer: '' }).validator({ formats: 'assert', integers: 'by-value' })(
      value,
      false,
    ).length;
  expect(judge({ not: { pattern } }, 'abc')).toBe(1);
  expect(judge({ not: { pattern } }, long)).toBe(0);
  expect(judge({ oneOf: [{ pattern }, { type: 'string' }] }, long)).toBe(0);
  expect(judge({ patternProperties: { [pattern]: false } }, { abc: 1 })).toBe(1);
  expect(judge({ patternProperties: { [pattern]: false } }, { [long]: 1 })).toBe(0);
  expect(judge({ additionalProperties: false, patternProperties: { [pattern]: {} } }, { [long]: 1 })).toBe(0);
  // What is wrong whether it fits or not.
  expect(judge({ not: { pattern }, maxLength: 5 }, long)).toBe(1);
  expect(judge({ pattern, minLength: 1000 }, long)).toBe(1);
  expect(judge({ items: { not: { pattern } }, maxItems: 1 }, [long, `${long}a`])).toBe(1);
});

test('compiles a definition that schemas share when the first value comes to it', () => {
  const $defs: JsonObject = {
    account: { properties: { owner: { $ref: '#/$defs/person' }, bank: { $ref: '#/$defs/bank' } } },
    person: { required: ['name'], properties: { account: { $ref: '#/$defs/account' } } },
    bank: { required: ['code'] },
  };
  const schema = { $defs, $ref: '#/$defs/account' };
  const compiled = compileSchema({ schema, pointer: '', shared: createSharedDefinitions() });
  const asked = vi.spyOn(Ajv2020.prototype, 'getSchema');
  const validate = compiled.validator(usual);
  const judge = (value: JsonValue): readonly string[] => validate(value, false).map(({ pointer }) => pointer);
  expect(judge({ owner: { account: { owner: {} } } })).toEqual(['/owner', '/owner/account/owner']);
  expect(asked.mock.calls).toEqual([['#/$defs/account'], ['#/$defs/person']]);
  expect(judge({ owner: { name: 'Ann' }, bank: {} })).toEqual(['/bank']);
  asked.mockRestore();
});
