import { expect, test } from 'vitest';
import { createSlotMarks } from '../src/arbitrary/slot-marks.ts';
import type { Body } from '../src/arbitrary/request-case.ts';
import { contractOfForm } from '../fixtures/reference/contract-of-form.ts';
import { base } from '../fixtures/reference/forms.ts';
import type { JsonValue } from '../src/json/value.ts';
import { boundaryBody, halfValidBody, nullBody } from './telling-bodies.ts';

const contract = contractOfForm(base);
const operation = (id: string) => contract.operations.find((each) => each.id === id);
const valueOf = (body: Body | undefined): JsonValue | undefined => body && createSlotMarks().toValue(body);

test('a body at the bounds has the longest texts, many decimals and the greatest integers', () => {
  expect(valueOf(boundaryBody(operation('createShelf')))).toMatchObject({
    capacity: 1_000,
    weight: 499.123_457,
    note: expect.stringMatching(/^.{199}Z$/u),
    address: { street: expect.stringMatching(/^.{79}Z$/u), floor: 40 },
  });
});

test('a body at the bounds has the longest array, in an order that sorting changes', () => {
  expect(valueOf(boundaryBody(operation('createShelf')))).toMatchObject({
    labels: [...'hgfedcba'].map((letter) => expect.stringMatching(new RegExp(`^${letter}`, 'u'))),
  });
});

test('a body with nulls has one for each property that may be null', () => {
  expect(valueOf(nullBody(operation('replaceBook')))).toMatchObject({
    subtitle: null,
    title: expect.any(String),
    pages: expect.any(Number),
  });
  expect(nullBody(operation('updateBook'))).toBeUndefined();
});

test('a body at the bounds keeps a name that has to be unique', () => {
  const value = valueOf(boundaryBody(operation('createBook')));
  expect(value).toMatchObject({ subtitle: expect.stringMatching(/^.{119}Z$/u) });
  expect(value).not.toMatchObject({ title: expect.stringContaining('Every word') });
});

test('a half valid body has one value of another type beside those that the schema allows', () => {
  expect(valueOf(halfValidBody(operation('updateBook')))).toMatchObject({
    pages: expect.any(Number),
    available: { wrong: true },
  });
});

test('an operation without a body has neither', () => {
  expect([boundaryBody(operation('readBook')), halfValidBody(operation('readBook'))]).toEqual([
    undefined,
    undefined,
  ]);
});
