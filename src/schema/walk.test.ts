import { expect, test } from 'vitest';
import type { JsonObject } from '../json/value.ts';
import { schemaConjuncts } from './walk.ts';

const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const all = (title: string, ...names: readonly string[]): JsonObject => ({ title, allOf: names.map(ref) });

test.each<[string, Readonly<Record<string, JsonObject>>]>([
  ['itself', { A: all('A', 'A') }],
  ['each other', { A: all('A', 'B', 'C'), B: { title: 'B', ...ref('C') }, C: all('C', 'A', 'B') }],
])('takes schemas that must hold with %s once each', (_, $defs) => {
  const root = { ...ref('A'), $defs };
  const titles = schemaConjuncts(root, root)?.flatMap(({ title }) => title ?? []);
  expect(titles?.toSorted()).toEqual(Object.keys($defs));
});
