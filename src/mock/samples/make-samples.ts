import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operation.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { Act } from '../act/act.ts';
import { findSuccessResponse, statusOf } from '../act/success-response.ts';
import { holdsExactNumber } from '../../json/holds-exact-number.ts';
import { sampleHeaders } from '../bodies/sample-headers.ts';
import { sampleValue } from '../bodies/sample-value.ts';
import { chooseSentMedia, type SentMedia } from '../bodies/sent-media.ts';
import type { SampleRequest, Sampler } from './sampler.ts';

function isValid({ media, isJson }: SentMedia, value: JsonValue): boolean {
  if (!isJson && typeof value !== 'string') {
    return false;
  }
  const validate = media.schema?.validator({ formats: 'assert', integers: 'by-value' });
  return validate === undefined || validate(value, holdsExactNumber(value)).length === 0;
}

function makeBody(request: SampleRequest, sampler: Sampler): string {
  const { operation, sent } = request;
  const { media, isJson } = sent;
  const schema = media.schema?.schema ?? true;
  const root = isJsonObject(schema) ? schema : {};
  const makers: readonly (() => JsonValue | undefined)[] = [
    () => sampler(request),
    ...media.examples.map((example) => () => example),
    () => sampleValue({ schema: root, root }),
    () => (isJson ? undefined : ''),
  ];
  for (const make of makers) {
    const value = make();
    if (value !== undefined && isValid(sent, value)) {
      return isJson || typeof value !== 'string' ? stringifyJson(value) : value;
    }
  }
  throw new ClocheError('DOCUMENT_INVALID', {
    attempt: 'make a sample answer for',
    subject: operation.id,
    reason: `no value was found that the schema at ${media.schema?.pointer ?? media.pointer} accepts`,
    remedy: 'Give the response an example that its schema accepts',
  });
}

function makeSample(operation: Operation, sampler: Sampler): Act {
  const response = findSuccessResponse(operation);
  if (response === undefined) {
    const undeclared = 'other-operations';
    const note = { operation: operation.id, undeclared } as const;
    return () => ({ status: 200, headers: ['Cloche-Undeclared', undeclared], body: '', note });
  }
  const status = statusOf(response);
  const sent = chooseSentMedia(response.media);
  const body = sent === undefined ? '' : makeBody({ operation, response, sent }, sampler);
  const answer = {
    status,
    headers: [
      ...(sent === undefined ? [] : ['Content-Type', sent.contentType]),
      ...sampleHeaders(response.headers),
    ],
    body: status === 204 || status === 304 ? undefined : body,
    note: { operation: operation.id },
  };
  return () => answer;
}

/**
 * Makes the answers of the operations that no state can answer, once, at load. Each body is valid against
 * its declared schema.
 *
 * @throws ClocheError DOCUMENT_INVALID where no valid sample is found for a response
 */
export function makeSamples(contract: Contract, sampler: Sampler): ReadonlyMap<Operation, Act> {
  const sampled = contract.operations.filter(({ kind }) => kind.kind === 'sample');
  return new Map(sampled.map((operation) => [operation, makeSample(operation, sampler)]));
}
