import { expect, test } from 'vitest';
import { findIn, type TaskDocument } from '../../../fixtures/life-cycle-trace.ts';
import { createPolicy } from '../../policy/policy.ts';
import { statefulChecks } from './stateful-checks.ts';

const effort = { type: ['number', 'null'], default: 5 };
const place = {
  type: 'object',
  properties: { city: { type: ['string', 'null'] }, street: { type: 'string' } },
};
const properties = { effort, place };
const task = (more: string): string => `{"id":7,"title":"tea",${more}}`;
const made = `POST /tasks {"title":"tea","effort":9,"place":{"city":"Ulm","street":"Main"}} > 201 ${task('"effort":9,"place":{"city":"Ulm","street":"Main"}')}`;
const read = (more: string): string => `GET /tasks/7 > 200 ${task(more)}`;
const known = {
  policy: createPolicy({ 'patch-notation': 'merge' }),
  enforced: new Set(['patch-notation'] as const),
};
const find = (
  document: TaskDocument & Parameters<typeof findIn>[2],
  ...lines: readonly string[]
): readonly string[] => findIn(statefulChecks['merge-patch'], [made, ...lines], { properties, ...document });

const removesEffort = 'PATCH /tasks/7 {"effort":null} > 200';
const removesCity = 'PATCH /tasks/7 {"place":{"city":null}} > 200';

test('a policy of merge patches enforces what null removes, at any depth', () => {
  const kept = read('"effort":9,"place":{"city":"Ulm","street":"Main"}');
  expect(find({}, removesEffort, kept)).toEqual(['warning updateTask: effort not removed']);
  expect(find({ known }, removesEffort, kept)).toEqual(['violation updateTask: effort not removed']);
  expect(find({}, removesCity, kept)).toEqual([]);
  expect(find({ known }, removesCity, kept)).toEqual(['violation updateTask: place/city not removed']);
});

test('a policy of merge patches enforces the default of what null removes', () => {
  const whole = '"place":{"city":"Ulm","street":"Main"}';
  expect(find({ known }, removesEffort, read(`"effort":2,${whole}`))).toEqual([
    'violation updateTask: effort not removed',
  ]);
  expect(find({}, removesEffort, read(`"effort":2,${whole}`))).toEqual([]);
  for (const shown of ['"effort":5,', '', '"effort":null,']) {
    expect(find({ known }, removesEffort, read(`${shown}${whole}`))).toEqual([]);
  }
});

test('a description that names RFC 7396 makes an update a merge patch', () => {
  const says = (description: string): TaskDocument => ({ operations: { updateTask: { description } } });
  const kept = read('"effort":9,"place":{"city":"Ulm","street":"Main"}');
  expect(find(says('Applied as in RFC 7396.'), removesCity, kept)).toEqual([
    'violation updateTask: place/city not removed',
  ]);
  expect(find(says('This is not RFC 7396.'), removesCity, kept)).toEqual([]);
});
