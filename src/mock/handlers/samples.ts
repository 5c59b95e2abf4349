import type { Contract, MediaTypeContract, Operation } from '../../contract/contract.ts';
import { keptRole } from '../../contract/resources.ts';
import { findSuccessResponse, statusOf } from '../../contract/responses.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { chooseSentMedia } from '../answer/representation.ts';
import { makeSampleBody, type Sampling } from '../answer/sample-body.ts';
import { sampleHeaders } from '../answer/sample-value.ts';
import type { AnswerNote } from '../message.ts';
import type { OperationHandler } from './stored-form.ts';

async function makeSample(operation: Operation, sampling: Sampling): Promise<OperationHandler> {
  const response = findSuccessResponse(operation);
  const status = response === undefined ? 200 : statusOf(response);
  const sent = chooseSentMedia(response?.media ?? []);
  const hasContent = status !== 204 && status !== 304;
  const made =
    response === undefined || sent === undefined || !hasContent
      ? { text: '', isDeclared: response !== undefined, source: 'empty' as const }
      : await makeSampleBody({ ...sampling, operation, response, sent });
  if (made === undefined) throw refuseToSample(operation, sent?.media);
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

function refuseToSample(operation: Operation, media: MediaTypeContract | undefined): ClocheError {
  return new ClocheError('DOCUMENT_INVALID', {
    attempt: 'make a sample answer for',
    subject: operation.id,
    reason: `no value was found that the schema at ${media?.schema?.pointer ?? media?.pointer ?? operation.pointer} accepts`,
    remedy: 'Give the response an example that its schema accepts',
  });
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
  sampling: Sampling,
): Promise<ReadonlyMap<Operation, OperationHandler>> {
  const samples = new Map<Operation, OperationHandler>();
  for (const operation of contract.operations.filter((each) => keptRole(each) === undefined)) {
    samples.set(operation, await makeSample(operation, sampling));
  }
  return samples;
}
