import type { Contract, Operation } from '../../contract/contract.ts';
import { findSuccessResponse, statusOf } from '../../contract/responses.ts';
import { keptRole } from '../../contract/resources.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { listSentMedia, sampleHeaders, type SentMedia } from '../answer/representation.ts';
import { fitsPlainly, makeSampleBody, type Sampling } from '../answer/sample-body.ts';
import type { MakeUp } from '../../schema/value/sample-value.ts';
import { createFaultRefuser, type RefuseFault } from '../faults/inject.ts';
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
 * The field `Cloche-Sample` says where it comes from. Where there is no value at all, or the schema cannot be compiled,
 * the answer is 501 with the reason.
 */
export async function makeSample(wanted: WantedSample): Promise<MockResponse> {
  try {
    return await makeFittest(wanted);
  } catch (error) {
    if (!(error instanceof ClocheError)) throw error;
    return refuseSample(wanted, error.reason);
  }
}

function refuseSample({ operation, refuse }: WantedSample, reason: string): MockResponse {
  const answer = refuse('not-mocked', reason);
  return { ...answer, note: { ...answer.note, operation: operation.id } };
}

async function makeFittest(wanted: WantedSample): Promise<MockResponse> {
  const { operation, sent, sampling } = wanted;
  const response = findSuccessResponse(operation);
  const status = response === undefined ? 200 : statusOf(response);
  const hasContent = status !== 204 && status !== 304;
  const made =
    response === undefined || sent === undefined || !hasContent
      ? { content: '', isDeclared: response !== undefined, source: 'empty' as const }
      : await makeSampleBody({ ...sampling, operation, response, sent });
  const place = sent?.media.schema?.pointer ?? sent?.media.pointer ?? operation.pointer;
  if (made === undefined) {
    return refuseSample(wanted, `no value was found that the schema at ${place} accepts`);
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
    body: hasContent ? made.content : undefined,
    note,
  };
}

/** A media type in which the mock has no sample of an operation as the document wants it. */
export interface Misfit {
  readonly operation: Operation;
  /** Left out where the success has no content. */
  readonly contentType?: string;
  /** What the mock answers with: 501 where it has no value at all, else that of the success. */
  readonly status: number;
  /** Why, as a sentence. */
  readonly message: string;
}

/** Whether a sample is found, whatever it will be. */
function isSurelyMade(sent: SentMedia): boolean {
  try {
    return fitsPlainly(sent);
  } catch (error) {
    // Making it says why its schema cannot be compiled.
    if (error instanceof ClocheError) return false;
    throw error;
  }
}

/** Makes every sample of a contract and lists those that are invalid; takes seconds for a large document. */
export async function listMisfits(contract: Contract): Promise<readonly Misfit[]> {
  const refuse = createFaultRefuser(contract);
  // With plain texts in the place of those that are made up, which are slow to load: what fits is the same.
  const sampling = { seed: 1, loadMakeUp: (): Promise<MakeUp> => Promise.resolve(() => undefined) };
  const misfits: Misfit[] = [];
  for (const operation of contract.operations.filter((each) => keptRole(each) === undefined)) {
    const media = listSentMedia(findSuccessResponse(operation)?.media ?? []);
    for (const sent of media.length === 0 ? [undefined] : media) {
      if (sent !== undefined && isSurelyMade(sent)) continue;
      const { status, note } = await makeSample({ operation, sent, sampling, refuse });
      if (note.undeclared === 'not-mocked') {
        const type = sent === undefined ? {} : { contentType: sent.contentType };
        misfits.push({ operation, ...type, status, message: note.message ?? '' });
      }
    }
  }
  return misfits;
}
