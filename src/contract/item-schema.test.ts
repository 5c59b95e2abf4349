import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import type { JsonObject } from '../json/value.ts';
import type { MediaTypeContract } from './contract.ts';

function mediaOf(range: string, media: JsonObject): MediaTypeContract | undefined {
  const responses = { 200: { description: 'OK', content: { [range]: media } } };
  const components = { schemas: { Beat: { type: 'object', properties: { beat: { type: 'integer' } } } } };
  const contract = contractOf({ paths: { '/beats': { get: { responses } } }, components });
  return contract.operations[0]?.responses[0]?.media[0];
}

const beat = { $ref: '#/components/schemas/Beat' };
const place = '/paths/~1beats/get/responses/200/content';

test('validates the list of items by itemSchema, with places in the document', () => {
  const schema = mediaOf('application/jsonl', { itemSchema: beat })?.schema;
  const [problem] =
    schema?.validator({ formats: 'assert', integers: 'by-value' })([{ beat: 'x' }], false) ?? [];
  expect(problem?.pointer).toBe('/0/beat');
  expect(schema?.placeOf(problem?.schemaPointer ?? '')).toBe('/components/schemas/Beat/properties/beat/type');
});

test('validates the JSON in the data of an event by contentSchema', () => {
  const data = {
    type: 'string',
    contentMediaType: 'application/json',
    contentSchema: { type: 'object', required: ['beat'] },
  };
  const itemSchema = { type: 'object', properties: { data } };
  const schema = mediaOf('text/event-stream', { itemSchema })?.schema;
  const [problem] =
    schema?.validator({ formats: 'assert', integers: 'by-value' })([{ data: {} }], false) ?? [];
  expect(schema?.placeOf(problem?.schemaPointer ?? '')).toBe(
    `${place}/text~1event-stream/itemSchema/properties/data/contentSchema/required`,
  );
});

test('takes the schema of one item for that of all items of lines', () => {
  expect(mediaOf('application/x-ndjson', { schema: beat })?.isSequence).toBe(true);
  expect(
    mediaOf('application/x-ndjson', { schema: { type: 'array', items: beat } })?.isSequence,
  ).toBeUndefined();
  expect(mediaOf('text/event-stream', { schema: beat })?.isSequence).toBeUndefined();
});
