import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printForBash, quoteForBash, splitRepeats, type Stretch } from './shell-quoting.ts';

function bash(line: string): string {
  const result = spawnSync('bash', ['-c', line], { env: { ...process.env, TOKEN: 'to ken$' } });
  expect(result.stderr.toString()).toBe('');
  return result.stdout.toString('latin1');
}

function quote(text: string): string {
  return quoteForBash([{ kind: 'bytes', bytes: Buffer.from(text) }]);
}

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => Buffer.from(text)),
  fc
    .string({
      unit: fc.constantFrom('-', '%', '\\', "'", '"', '$', '`', '!', '\n', '1', 'é', '\0'),
      maxLength: 12,
    })
    .map((text) => Buffer.from(text)),
  fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 4 }), fc.integer({ min: 100, max: 200 }))
    .map(([unit, count]) => Buffer.concat(Array.from({ length: count }, () => unit))),
);

test('prints any bytes', () => {
  fc.assert(
    fc.property(bytes, (content) => {
      const printed = bash(printForBash([{ kind: 'bytes', bytes: content }]));
      expect(printed).toBe(Buffer.from(content).toString('latin1'));
    }),
    { numRuns: 60 },
  );
});

test('quotes any bytes but NUL as one word, beside a variable', () => {
  const withoutNul = bytes.map((content) => Buffer.from(content.filter((byte) => byte !== 0)));
  fc.assert(
    fc.property(withoutNul, withoutNul, (before, after) => {
      const word = quoteForBash([
        { kind: 'bytes', bytes: before },
        { kind: 'variable', name: 'TOKEN' },
        { kind: 'bytes', bytes: after },
      ]);
      expect(bash(`printf %s ${word}`)).toBe(
        `${before.toString('latin1')}to ken$${after.toString('latin1')}`,
      );
    }),
    { numRuns: 60 },
  );
});

test('shows text that can be shown, and escapes the rest', () => {
  expect(quote('{"name":"Ärger"}')).toBe(`'{"name":"Ärger"}'`);
  expect(quote("it's")).toBe(String.raw`'it'\''s'`);
  expect(quote('a\u202Eb')).toBe(String.raw`$'a\342\200\256b'`);
  expect(quote('')).toBe("''");
  expect(printForBash([{ kind: 'bytes', bytes: Buffer.from('100%\0') }])).toBe(
    String.raw`printf '100\045\000'`,
  );
  expect(printForBash([{ kind: 'bytes', bytes: Buffer.alloc(70_000, 'x') }])).toBe(
    String.raw`head -c 70000 /dev/zero | tr '\0' x`,
  );
});

function join(stretches: readonly Stretch[]): string {
  return stretches
    .map((stretch) =>
      stretch.kind === 'bytes'
        ? Buffer.from(stretch.bytes).toString('latin1')
        : Buffer.from(stretch.unit).toString('latin1').repeat(stretch.count),
    )
    .join('');
}

test('finds a repeated character and a repeated word, and leaves the rest', () => {
  const stretches = splitRepeats(Buffer.from(`{"a":"${'x'.repeat(5000)}","b":${'{"a":'.repeat(200)}1}`));
  expect(
    stretches.map((stretch) => (stretch.kind === 'bytes' ? 'bytes' : [stretch.unit.length, stretch.count])),
  ).toEqual(['bytes', [1, 5000], 'bytes', [5, 200], 'bytes']);
});

test('keeps every byte', () => {
  const part = fc
    .tuple(fc.string({ maxLength: 5 }), fc.nat({ max: 300 }))
    .map(([text, count]) => text.repeat(count));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
      const bytes = Buffer.from(parts.join(''));
      expect(join(splitRepeats(bytes))).toBe(bytes.toString('latin1'));
    }),
  );
});
