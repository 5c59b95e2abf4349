import type { Contract, DeclaredResponse, Operation } from '../../contract/contract.ts';
import { keptRole } from '../../contract/resources.ts';
import { findSuccessResponse, statusOf } from '../../contract/responses.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { stringifyJson } from '../../json/print.ts';
import { holdsExactNumber, type JsonValue } from '../../json/value.ts';
import { chooseSentMedia, renderText, type SentMedia } from '../answer/representation.ts';
import { sampleHeaders, sampleValue } from '../answer/sample-value.ts';
import type { MockResponse } from '../message.ts';
import type { OperationHandler } from './stored-form.ts';

interface SampleRequest {
  readonly operation: Operation;
  readonly response: DeclaredResponse;
  readonly sent: SentMedia;
}

/** Makes a body for a response, or gives undefined where it cannot. It need not be valid. */
export type Sampler = (request: SampleRequest) => JsonValue | undefined;

/** Values for a response, the best first. Generators are loaded where all others were of no use. */
async function* makeValues(request: SampleRequest, sampler: Sampler): AsyncGenerator<JsonValue | undefined> {
  const { media } = request.sent;
  yield sampler(request);
  yield* media.examples;
  yield sampleValue(media.schema?.schema ?? true);
  const { plainValues } = await import('../../arbitrary/from-schema.ts');
  yield plainValues(media.schema, media.examples)?.smallest;
}

/**
 * Makes the body of a sample answer, valid against its declared schema. Where the schema speaks of a value
 * and the media type is not JSON, the notation is the document's example, else one of our own, which is not declared.
 */
async function makeBody(
  request: SampleRequest,
  sampler: Sampler,
): Promise<{ readonly text: string; readonly isDeclared: boolean }> {
  const { media, isJson, contentType } = request.sent;
  const validate = media.schema?.validator({ formats: 'assert', integers: 'by-value' });
  const accepts = (value: JsonValue): boolean =>
    validate === undefined || validate(value, holdsExactNumber(value)).length === 0;
  const written = media.examples.find((example) => typeof example === 'string');
  for await (const value of makeValues(request, sampler)) {
    if (value === undefined || !accepts(value)) continue;
    if (isJson) return { text: stringifyJson(value), isDeclared: true };
    if (typeof value === 'string') return { text: value, isDeclared: true };
    return written === undefined
      ? { text: renderText(contentType, value), isDeclared: false }
      : { text: written, isDeclared: true };
  }
  if (!isJson) return { text: written ?? '', isDeclared: written !== undefined };
  throw new ClocheError('DOCUMENT_INVALID', {
    attempt: 'make a sample answer for',
    subject: request.operation.id,
    reason: `no value was found that the schema at ${media.schema?.pointer ?? media.pointer} accepts`,
    remedy: 'Give the response an example that its schema accepts',
  });
}

/** What the answers are marked with that the document does not declare. */
const undeclared = 'other-operations';
const mark = ['Cloche-Undeclared', undeclared];

async function makeSample(operation: Operation, sampler: Sampler): Promise<OperationHandler> {
  const note = { operation: operation.id };
  const response = findSuccessResponse(operation);
  if (response === undefined) {
    return () => ({ status: 200, headers: mark, body: '', note: { ...note, undeclared } });
  }
  const status = statusOf(response);
  const sent = chooseSentMedia(response.media);
  const made = sent && (await makeBody({ operation, response, sent }, sampler));
  const isDeclared = made === undefined || made.isDeclared;
  const answer: MockResponse = {
    status,
    headers: [
      ...(sent === undefined ? [] : ['Content-Type', sent.contentType]),
      ...sampleHeaders(response.headers),
      ...(isDeclared ? [] : mark),
    ],
    body: status === 204 || status === 304 ? undefined : (made?.text ?? ''),
    note: isDeclared ? note : { ...note, undeclared },
  };
  return () => answer;
}

/**
 * Makes the answers of the operations that no state can answer, once, at load. Each JSON body is valid
 * against its declared schema; a stand-in for another notation is marked with the field `Cloche-Undeclared`.
 *
 * @throws ClocheError DOCUMENT_INVALID where no valid sample is found for a response
 */
export async function makeSamples(
  contract: Contract,
  sampler: Sampler,
): Promise<ReadonlyMap<Operation, OperationHandler>> {
  const samples = new Map<Operation, OperationHandler>();
  for (const operation of contract.operations.filter((each) => keptRole(each) === undefined)) {
    samples.set(operation, await makeSample(operation, sampler));
  }
  return samples;
}
