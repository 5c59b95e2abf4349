import { expect, test } from 'vitest';
import { locateValues } from './locate.ts';

function find(text: string, pointer: string): readonly (string | undefined)[] {
  const [place] = locateValues(text, [pointer]);
  return [
    place && text.slice(place.value.start, place.value.end),
    place && text.slice(place.member.start, place.member.end),
  ];
}

test.each([
  ['the whole', ' [1] ', '', '[1]', '[1]'],
  ['a member', '{"a" : {"b":"x"}}', '/a/b', '"x"', '"b":"x"'],
  ['an item', '{"a":[1, 22]}', '/a/1', '22', '22'],
  ['an escaped key', String.raw`{"\u0061~/":1}`, '/a~0~1', '1', String.raw`"\u0061~/":1`],
  ['the last of equal keys', '{"a":1,"a":2}', '/a', '2', '"a":2'],
  ['what is no key of its own', '{"a":1}', '/constructor', undefined, undefined],
  ['an item past the end', '[1]', '/1', undefined, undefined],
  ['something below a text', '"abc"', '/0', undefined, undefined],
  ['nothing in what is no JSON', '{"a":1', '/a', undefined, undefined],
])('finds %s', (_, text, pointer, value, member) => {
  expect(find(text, pointer)).toEqual([value, member]);
});
