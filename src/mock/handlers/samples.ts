import type { Operation } from '../../contract/contract.ts';
import { findSuccessResponse, statusOf } from '../../contract/responses.ts';
import type { SentMedia } from '../answer/representation.ts';
import { makeSampleBody, type Sampling } from '../answer/sample-body.ts';
import { sampleHeaders } from '../answer/sample-value.ts';
import type { RefuseFault } from '../faults/inject.ts';
import type { AnswerNote, MockResponse } from '../message.ts';

interface WantedSample {
  readonly operation: Operation;
  /** Undefined where its success has no content. */
  readonly sent: SentMedia | undefined;
  readonly sampling: Sampling;
  readonly refuse: RefuseFault;
}

/**
 * Makes the answer of an operation that no state can answer. A JSON body is valid against its declared schema as far as
 * such a value is found; else it is the best that was, and `Cloche-Undeclared` says so, as of a stand-in for another notation.
 * The field `Cloche-Sample` says where it comes from. Where there is no value at all, the answer is 501 with the reason.
 *
 * @throws ClocheError SCHEMA_UNUSABLE where the schema cannot be compiled
 */
export async function makeSample({ operation, sent, sampling, refuse }: WantedSample): Promise<MockResponse> {
  const response = findSuccessResponse(operation);
  const status = response === undefined ? 200 : statusOf(response);
  const hasContent = status !== 204 && status !== 304;
  const made =
    response === undefined || sent === undefined || !hasContent
      ? { text: '', isDeclared: response !== undefined, source: 'empty' as const }
      : await makeSampleBody({ ...sampling, operation, response, sent });
  const place = sent?.media.schema?.pointer ?? sent?.media.pointer ?? operation.pointer;
  if (made === undefined) {
    const answer = refuse('not-mocked', `no value was found that the schema at ${place} accepts`);
    return { ...answer, note: { ...answer.note, operation: operation.id } };
  }
  const undeclared = made.misfit === undefined ? 'other-operations' : 'not-mocked';
  const note: AnswerNote = {
    operation: operation.id,
    ...(made.isDeclared ? {} : { undeclared }),
    ...(made.misfit !== undefined && {
      message: `No value was found that the schema at ${place} accepts; of the best one, ${made.misfit}.`,
    }),
    sample: made.source,
  };
  return {
    status,
    headers: [
      ...(sent === undefined ? [] : ['Content-Type', sent.contentType]),
      ...sampleHeaders(response?.headers ?? []),
      ...(made.isDeclared ? [] : ['Cloche-Undeclared', undeclared]),
      'Cloche-Sample',
      made.source,
    ],
    body: hasContent ? made.text : undefined,
    note,
  };
}
