import fc from 'fast-check';
import type { Body } from './body.ts';
import type { Cases } from './cases.ts';
import { isMalformed } from './is-malformed.ts';
import { joinParts } from './join-parts.ts';

const texts: readonly string[] = [
  'hello',
  '{',
  '',
  ' ',
  '\n',
  '}',
  '[',
  '"',
  '<xml/>',
  '<html><body>text</body></html>',
  'a=1&b=2',
  'name: text',
  'undefined',
  'nul',
  'True',
  '{]',
  '[}',
  '{{}}',
  '{"a"}',
  '{"a":}',
  '{:1}',
  '{,}',
  '[,]',
  '01',
  '+1',
  '1.',
  '.5',
  '0x10',
  '1e',
  '-',
  '--1',
  '1 2',
  '"unterminated',
  String.raw`"\x41"`,
  String.raw`"\u12"`,
  String.raw`"\"`,
  '"tab\tin a text"',
  '\u0000',
  '\u00a0{}',
  '// comment',
  '[object Object]',
  '%7B%7D',
  'e30=',
];

/** Contents that are no JSON, nor ever were. */
export function notJsonTexts(): Cases<Body> {
  const random = fc
    .string({ unit: fc.constantFrom(...'{}[]":,\\abn01 -.e'), maxLength: 20 })
    .map((text) => (isMalformed([text]) ? joinParts([text]) : joinParts([`${text}{`])));
  return { examples: texts.map((text) => joinParts([text])), arbitrary: random };
}
