import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import type { Contract } from '../../contract/contract.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { listRefusalBodies } from './credentials.ts';

/** A contract whose one operation declares a 400 with a content. */
function declaring(content: JsonObject | undefined): Contract {
  const refused = { description: 'Refused', ...(content === undefined ? {} : { content }) };
  return contractOf({
    paths: { '/orders': { post: { operationId: 'order', responses: { '400': refused } } } },
  });
}

const error = { type: 'object', required: ['error'], properties: { error: { type: 'integer' } } };
const ofJson = declaring({ 'application/json': { schema: error } });
const ofEither = declaring({ 'application/json': { schema: { oneOf: [error, error] } } });
const ofProblem = declaring({ 'application/problem+json': { schema: { type: 'object' } } });
const ofText = declaring({ 'text/plain': {} });
const ofNothing = declaring(undefined);

const json = 'application/json';
const problem = 'application/problem+json';

test.each<[string, Contract, string | undefined, JsonValue | undefined, string[]]>([
  ['the declared error', ofJson, json, { error: 401 }, ['error']],
  ['JSON that its schema refuses', ofJson, json, { error: 'unauthorized' }, ['other']],
  ['what is two declared errors at once', ofEither, json, { error: 401 }, ['error']],
  ['what is neither of two declared errors', ofEither, json, { error: 'unauthorized' }, ['other']],
  ['JSON of another media type', ofJson, 'application/vnd.api+json', { error: 401 }, ['other']],
  ['text that calls itself JSON', ofJson, json, undefined, ['other']],
  ['HTML', ofJson, 'text/html', undefined, ['other']],
  ['something without a media type', ofJson, undefined, { error: 401 }, ['other']],
  ['a problem', ofJson, problem, { title: 'Unauthorized', status: 401 }, ['problem']],
  ['a problem whose status is a text', ofJson, problem, { status: '401' }, ['other']],
  ['a problem that is the declared error', ofProblem, problem, { status: 401 }, ['problem', 'error']],
  ['the declared text', ofText, 'text/plain', undefined, ['error']],
  ['any object, where no error is declared', ofNothing, json, { detail: 'no' }, ['error']],
  ['a text in JSON, where no error is declared', ofNothing, json, 'no', ['other']],
])('%s is told from other bodies', (_name, contract, mediaType, value, expected) => {
  expect(listRefusalBodies({ bytes: 9, mediaType, value }, contract.operations)).toEqual(expected);
});

test('the error of another operation counts where a request reached none', () => {
  const content = { bytes: 9, mediaType: json, value: { error: 'no' } };
  expect(listRefusalBodies(content, [undefined, ...ofJson.operations])).toEqual(['other']);
});

test('nothing is an empty body, whatever it is said to be', () => {
  expect(listRefusalBodies({ bytes: 0, mediaType: json, value: undefined }, ofJson.operations)).toEqual([
    'empty',
  ]);
});
