import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitRepeats, type Stretch } from './shell-quoting.ts';

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
