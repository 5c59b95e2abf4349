import { expect, test } from 'vitest';
import { parseMediaType } from './media-type.ts';

test('reads a media type and its parameters, every time alike', () => {
  const read = (): unknown => {
    const { essence, parameters } = parseMediaType('Application/JSON; Charset="utf\\-8"') ?? {};
    return { essence, parameters: [...(parameters ?? [])] };
  };
  const wanted = { essence: 'application/json', parameters: [['charset', 'utf-8']] };
  expect(read()).toEqual(wanted);
  expect(read()).toEqual(wanted);
});

test('refuses what is no media type, every time', () => {
  expect(parseMediaType('json; x')).toBeUndefined();
  expect(parseMediaType('json; x')).toBeUndefined();
});

test('reads each of a thousand', () => {
  const values = Array.from({ length: 1000 }, (_, index) => `text/x-${index}`);
  expect([...values, ...values].map((value) => parseMediaType(value)?.essence)).toEqual([
    ...values,
    ...values,
  ]);
});
