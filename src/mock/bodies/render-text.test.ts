import { expect, test } from 'vitest';
import { renderText } from '../answer/representation.ts';

test.each([
  ['application/xml', '<?xml version="1.0" encoding="UTF-8"?>\n<body><id>1</id></body>\n'],
  [
    'application/atom+xml; charset=utf-8',
    '<?xml version="1.0" encoding="UTF-8"?>\n<body><id>1</id></body>\n',
  ],
  ['application/xml-dtd', '{"id":1}'],
  ['text/plain; x=/xml', '{"id":1}'],
])('writes a value as %s', (contentType, text) => {
  expect(renderText(contentType, { id: 1 })).toBe(text);
});

test('leaves a text as it stands', () => {
  expect(renderText('text/xml', '<a/>')).toBe('<a/>');
});
