import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { readExtendedJson } from '../json/parse.ts';
import { jsonCorpus, malformedCorpus, validCorpus } from './json-corpus.ts';
import { plainBody } from './plain-body.ts';
import { renderBody } from './request.ts';

const { operations } = await loadContract(undefined, { followReferences: false });
const made = operations.map((operation) => plainBody(operation));
const bodies = made.flatMap((result) => (result.kind === 'body' ? [result.body] : []));

function textsOf(generate: typeof validCorpus): readonly string[] {
  return bodies
    .flatMap((body) => generate(body, 0).examples)
    .map((parts) => new TextDecoder().decode(renderBody(parts, () => '7')));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('the corpus holds texts of each verdict, none with bytes that were lost', () => {
  expect(jsonCorpus('accepted').filter(isJson).length).toBeGreaterThan(90);
  expect(jsonCorpus('accepted').filter((text) => !isJson(text))).toEqual([]);
  expect(jsonCorpus('refused').length).toBeGreaterThan(170);
  expect(jsonCorpus('refused').filter(isJson)).toEqual([]);
  expect(jsonCorpus('open').length).toBeGreaterThan(15);
});

test('operations after the first share the corpus', () => {
  const all = jsonCorpus('refused');
  const shared = [1, 2, 3, 4, 5].flatMap((place) => jsonCorpus('refused', place));
  expect(shared.toSorted()).toEqual(all.toSorted());
});

test('what every parser must refuse stands inside a plain body where it is a value but for what is wrong in it', () => {
  const texts = textsOf(malformedCorpus);
  expect(texts.length).toBeGreaterThan(160);
  expect(texts.filter(isJson)).toEqual([]);
  const inside = texts.filter((text) => text.startsWith('{"name"'));
  expect(inside.length).toBeGreaterThan(100);
  expect(texts).toContainEqual(expect.stringMatching(/^\{"name":.*"id":7,"extra":\[-01\]\}$/u));
  expect(texts).toContainEqual(expect.stringMatching(/^\{"name":.*"id":7,"extra":\{a: "b"\}\}$/u));
  expect(texts).toContainEqual('{"a": true} "x"');
});

test('every text of the corpus that is no JSON can be looked at as an extension of it', () => {
  const texts = textsOf(malformedCorpus).filter((text) => text.length < 10_000);
  const extensions = new Set(texts.map((text) => readExtendedJson(text)?.extension));
  expect(extensions).toContain('JSON5');
  expect(extensions).toContain('comments or trailing commas');
});

test('what every parser must take, and what is left to it, is the value of an undeclared property', () => {
  const texts = textsOf(validCorpus);
  expect(texts.length).toBeGreaterThan(105);
  expect(texts.filter((text) => !isJson(text))).toEqual([]);
  expect(texts).toContainEqual(expect.stringContaining('"extra":[1E22]'));
  expect(texts).toContainEqual(expect.stringContaining(String.raw`"extra":["\uDd1ea"]`));
  expect(texts).toContainEqual(expect.stringContaining('"extra":[1.5e+9999]'));
});
