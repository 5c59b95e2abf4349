import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Act } from '../act/act.ts';
import { findSuccessResponse, statusOf } from '../act/success-response.ts';
import { sampleHeaders } from '../bodies/sample-headers.ts';
import { chooseSentMedia } from '../bodies/sent-media.ts';
import type { MockAnswer } from '../steps/mock-answer.ts';
import { makeBody } from './make-body.ts';
import type { Sampler } from './sampler.ts';

/** What the answers are marked with that the document does not declare. */
const undeclared = 'other-operations';
const mark = ['Cloche-Undeclared', undeclared];

async function makeSample(operation: Operation, sampler: Sampler): Promise<Act> {
  const note = { operation: operation.id };
  const response = findSuccessResponse(operation);
  if (response === undefined) {
    return () => ({ status: 200, headers: mark, body: '', note: { ...note, undeclared } });
  }
  const status = statusOf(response);
  const sent = chooseSentMedia(response.media);
  const made = sent && (await makeBody({ operation, response, sent }, sampler));
  const isDeclared = made === undefined || made.isDeclared;
  const answer: MockAnswer = {
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
): Promise<ReadonlyMap<Operation, Act>> {
  const samples = new Map<Operation, Act>();
  for (const operation of contract.operations.filter(({ kind }) => kind.kind === 'sample')) {
    samples.set(operation, await makeSample(operation, sampler));
  }
  return samples;
}
