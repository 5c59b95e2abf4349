import { expect, test } from 'vitest';
import { visitReferences } from './references.ts';
test('visits what a reference leads to in an extension, and no other extension', () => {
  const found: string[] = [];
  const document = {
    paths: { '/a': { get: { schema: { $ref: '#/x-streams/Event' } } } },
    headers: { 'x-rate': { schema: { $ref: '#/definitions/N' } } },
    'x-streams': { Event: { properties: { error: { $ref: '#/definitions/Error' } } } },
    'x-notes': { $ref: '#/nowhere' },
  };
  visitReferences(document, {
    reference: (_holder, reference, pointer) => found.push(`${pointer} ${reference}`),
  });
  expect(found).toEqual([
    '/paths/~1a/get/schema #/x-streams/Event',
    '/headers/x-rate/schema #/definitions/N',
    '/x-streams/Event/properties/error #/definitions/Error',
  ]);
});
