import { expect, test } from 'vitest';
import { applyJsonPatch, applyMergePatch } from './patch.ts';

test.each([
  // RFC 7396, appendix A
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  [
    { a: 1, b: { c: 2 }, d: 3 },
    JSON.parse('{"e":4,"b":{"__proto__":5},"toString":6}'),
    JSON.parse('{"a":1,"b":{"c":2,"__proto__":5},"d":3,"e":4,"toString":6}'),
  ],
])('merges into %j the patch %j', (target, patch, result) => {
  const before = JSON.stringify(target);
  expect(JSON.stringify(applyMergePatch(target, patch))).toBe(JSON.stringify(result));
  expect(JSON.stringify(target)).toBe(before);
});

test.each([
  // RFC 6902, appendix A
  [{ foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { baz: 'qux', foo: 'bar' }],
  [{ foo: ['bar', 'baz'] }, [{ op: 'add', path: '/foo/1', value: 'qux' }], { foo: ['bar', 'qux', 'baz'] }],
  [{ baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
  [{ foo: ['bar', 'qux', 'baz'] }, [{ op: 'remove', path: '/foo/1' }], { foo: ['bar', 'baz'] }],
  [{ baz: 'qux', foo: 'bar' }, [{ op: 'replace', path: '/baz', value: 'boo' }], { baz: 'boo', foo: 'bar' }],
  [
    { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
    [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
    { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
  ],
  [
    { foo: ['all', 'grass', 'cows', 'eat'] },
    [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
    { foo: ['all', 'cows', 'eat', 'grass'] },
  ],
  [{ baz: 'qux', foo: ['a', 2] }, [{ op: 'test', path: '/foo/1', value: 2 }], { baz: 'qux', foo: ['a', 2] }],
  [
    { foo: 'bar' },
    [{ op: 'add', path: '/child', value: { grandchild: {} } }],
    { foo: 'bar', child: { grandchild: {} } },
  ],
  [{ foo: ['bar'] }, [{ op: 'add', path: '/foo/-', value: ['abc'] }], { foo: ['bar', ['abc']] }],
  [{ '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
  [{ a: [1] }, [{ op: 'copy', from: '/a', path: '/b' }], { a: [1], b: [1] }],
  [{ a: 1 }, [{ op: 'replace', path: '', value: { b: 2 } }], { b: 2 }],
])('applies to %j the operations %j', (target, operations, value) => {
  const before = JSON.stringify(target);
  expect(applyJsonPatch(target, operations)).toEqual({ value });
  expect(JSON.stringify(target)).toBe(before);
});

test.each([
  [{ baz: 'qux' }, [{ op: 'test', path: '/baz', value: 'bar' }]],
  [{ foo: 'bar' }, [{ op: 'add', path: '/baz/bat', value: 'qux' }]],
  [{ '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: '10' }]],
  [{ a: {} }, [{ op: 'move', from: '/a', path: '/a/b' }]],
  [{ a: [1] }, [{ op: 'add', path: '/a/2', value: 1 }]],
  [{ a: [1] }, [{ op: 'replace', path: '/a/-', value: 1 }]],
  [{ a: [1] }, [{ op: 'remove', path: '/a/01' }]],
  [{ a: 1 }, [{ op: 'remove', path: '/b' }]],
  [{ a: 1 }, [{ op: 'copy', from: '/b', path: '/c' }]],
  [{ a: 1 }, [{ op: 'add', path: 'a', value: 1 }]],
  [{ a: 1 }, [{ op: 'add', path: '/a' }]],
  [{ 'a~2': 1 }, [{ op: 'remove', path: '/a~2' }]],
  [{ 'a~': 1 }, [{ op: 'test', path: '/a~', value: 1 }]],
  [{ a: 1 }, [{ op: 'add', path: '/~2', value: 1 }]],
  [{ '~2': 1 }, [{ op: 'copy', from: '/~2', path: '/a' }]],
  [{ a: 1 }, [{ op: 'double', path: '/a' }]],
  [{ a: 1 }, ['add']],
])('does not apply to %j the operations %j, and says which', (target, operations) => {
  expect(applyJsonPatch(target, operations)).toEqual({
    problem: expect.stringContaining(' does not apply') as string,
  });
});

test.each([
  [{ op: 'test', path: '/a', value: 1 }, 'at /a 1 was expected, and 2 found'],
  [{ op: 'test', path: '', value: 1 }, 'at the root 1 was expected, and {"a":2} found'],
  [{ op: 'test', path: '/b', value: 1 }, 'there is nothing at /b'],
  [{ op: 'remove', path: '/b' }, 'there is nothing at /b'],
])('says of the second operation %j why it does not apply', (operation, why) => {
  const operations = [{ op: 'replace', path: '/a', value: 2 }, operation];
  const problem = `operation 2, ${JSON.stringify(operation)}, does not apply: ${why}`;
  expect(applyJsonPatch({ a: 1 }, operations)).toEqual({ problem });
});

test('cuts long values where it says why an operation does not apply', () => {
  const operation = { op: 'test', path: '/a', value: 'x'.repeat(999) };
  const { problem } = { problem: '', ...applyJsonPatch({ a: 'y'.repeat(999) }, [operation]) };
  expect(problem.length).toBeLessThan(300);
});

test('changes nothing where a later operation does not apply, and no prototype', () => {
  const operations = [
    { op: 'replace', path: '/a', value: 2 },
    { op: 'test', path: '/a', value: 1 },
  ];
  expect(applyJsonPatch({ a: 1 }, operations)).toHaveProperty('problem');
  const patched = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { isAdmin: true } }]);
  expect(Object.keys('value' in patched ? (patched.value ?? {}) : {})).toEqual(['__proto__']);
  expect({}).not.toHaveProperty('isAdmin');
});

test('stops at a patch whose copies would double the whole again and again, or lie too deep to be read', () => {
  const grow = Array.from({ length: 30 }, (_, step) => ({ op: 'copy', from: '/a', path: `/a/${step}` }));
  expect(applyJsonPatch({ a: { text: 'x' } }, grow)).toEqual({
    problem: expect.stringContaining('copies or moves more than one patch may'),
  });
  const deepen = Array.from({ length: 600 }, (_, depth) => ({
    op: 'add',
    path: `/a${'/b'.repeat(depth)}`,
    value: {},
  }));
  expect(applyJsonPatch({}, deepen)).toEqual({ problem: expect.stringContaining('does not apply') });
});

test('leaves the patch as it is, so that it applies again', () => {
  const operations = [
    { op: 'add', path: '/a', value: [] },
    { op: 'add', path: '/a/-', value: 1 },
  ];
  expect(applyJsonPatch({}, operations)).toEqual({ value: { a: [1] } });
  expect(applyJsonPatch({}, operations)).toEqual({ value: { a: [1] } });
});

test('keeps the order of members, and changes nothing that it was given', () => {
  const target = { a: 1, b: { c: 2 }, d: 3 };
  const operations = [
    { op: 'replace', path: '/a', value: 9 },
    { op: 'add', path: '/b/c', value: 8 },
  ];
  expect(JSON.stringify(applyJsonPatch(target, operations))).toBe('{"value":{"a":9,"b":{"c":8},"d":3}}');
  expect(target).toEqual({ a: 1, b: { c: 2 }, d: 3 });
});
