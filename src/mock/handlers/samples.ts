import type { Contract, DeclaredResponse, Operation } from '../../contract/contract.ts';
import { keptRole } from '../../contract/resources.ts';
import { findSuccessResponse, statusOf } from '../../contract/responses.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { stringifyJson } from '../../json/print.ts';
import { holdsExactNumber, isJsonObject, type JsonValue } from '../../json/value.ts';
import { chooseSentMedia, renderText, type SentMedia } from '../answer/representation.ts';
import { givenValues, mergeSchema, sampleHeaders, sampleValue } from '../answer/sample-value.ts';
import type { AnswerNote, SampleSource } from '../message.ts';
import type { OperationHandler } from './stored-form.ts';

interface SampleRequest {
  readonly operation: Operation;
  readonly response: DeclaredResponse;
  readonly sent: SentMedia;
}

/** Makes a body for a response, or gives undefined where it cannot. It need not be valid. */
export type Sampler = (request: SampleRequest) => JsonValue | undefined;

type Candidate = readonly [value: JsonValue | undefined, source: SampleSource];

/** Values for a response, the best first. Generators are loaded where all others were of no use. */
async function* makeValues(request: SampleRequest, sampler: Sampler): AsyncGenerator<Candidate> {
  const { media } = request.sent;
  const schema = media.schema?.schema ?? true;
  const given = givenValues(mergeSchema(isJsonObject(schema) ? schema : {}, schema));
  for (const example of [...media.examples, ...given]) yield [example, 'example'];
  yield [sampler(request), 'generated'];
  yield [sampleValue(schema), 'generated'];
  const { plainValues } = await import('../../arbitrary/from-schema.ts');
  yield [plainValues(media.schema, media.examples)?.smallest, 'generated'];
}

interface SampleBody {
  readonly text: string;
  readonly isDeclared: boolean;
  readonly source: SampleSource;
}

/**
 * Makes the body of a sample answer, valid against its declared schema. Where the schema speaks of a value
 * and the media type is not JSON, the notation is the document's example, else one of our own, which is not declared.
 */
async function makeBody(request: SampleRequest, sampler: Sampler): Promise<SampleBody> {
  const { media, isJson, contentType } = request.sent;
  const validate = media.schema?.validator({ formats: 'assert', integers: 'by-value' });
  const accepts = (value: JsonValue): boolean =>
    validate === undefined || validate(value, holdsExactNumber(value)).length === 0;
  const written = media.examples.find((example) => typeof example === 'string');
  const asWritten = written === undefined ? undefined : toBody(written, 'example');
  for await (const [value, source] of makeValues(request, sampler)) {
    if (value === undefined || !accepts(value)) continue;
    if (isJson) return toBody(stringifyJson(value), source);
    if (typeof value === 'string') return toBody(value, source);
    return asWritten ?? { text: renderText(contentType, value), isDeclared: false, source };
  }
  if (!isJson) return asWritten ?? { text: '', isDeclared: false, source: 'empty' };
  throw new ClocheError('DOCUMENT_INVALID', {
    attempt: 'make a sample answer for',
    subject: request.operation.id,
    reason: `no value was found that the schema at ${media.schema?.pointer ?? media.pointer} accepts`,
    remedy: 'Give the response an example that its schema accepts',
  });
}

const toBody = (text: string, source: SampleSource): SampleBody => ({ text, isDeclared: true, source });

async function makeSample(operation: Operation, sampler: Sampler): Promise<OperationHandler> {
  const response = findSuccessResponse(operation);
  const status = response === undefined ? 200 : statusOf(response);
  const sent = chooseSentMedia(response?.media ?? []);
  const hasContent = status !== 204 && status !== 304;
  const made =
    response === undefined || sent === undefined || !hasContent
      ? { text: '', isDeclared: response !== undefined, source: 'empty' as const }
      : await makeBody({ operation, response, sent }, sampler);
  const undeclared = made.isDeclared ? {} : ({ undeclared: 'other-operations' } as const);
  const note: AnswerNote = { operation: operation.id, ...undeclared, sample: made.source };
  const answer = {
    status,
    headers: [
      ...(sent === undefined ? [] : ['Content-Type', sent.contentType]),
      ...sampleHeaders(response?.headers ?? []),
      ...(made.isDeclared ? [] : ['Cloche-Undeclared', 'other-operations']),
      'Cloche-Sample',
      made.source,
    ],
    body: hasContent ? made.text : undefined,
    note,
  };
  return () => answer;
}

/**
 * Makes the answers of the operations that no state can answer, once, at load. Each JSON body is valid
 * against its declared schema; a stand-in for another notation is marked with the field `Cloche-Undeclared`. The field
 * `Cloche-Sample` says of each where it comes from.
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
