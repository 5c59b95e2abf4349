import type { Contract, Operation } from '../../contract/contract.ts';
import { findSuccessResponse, statusOf } from '../../contract/responses.ts';
import { keptRole } from '../../contract/resources.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { eventStreamCodec, giveId, idOf, splitEvents } from '../../http/codecs/event-stream.ts';
import { holdsExactNumber } from '../../json/value.ts';
import { listSentMedia, sampleHeaders, type SentMedia, withoutFields } from '../answer/representation.ts';
import { fitsPlainly, makeSampleBody, type Sampling } from '../answer/sample-body.ts';
import type { ValueFromNames } from '../../schema/value/sample-value.ts';
import { createFaultRefuser, type RefuseFault } from '../faults/inject.ts';
import type { AnswerNote, MockResponse } from '../message.ts';

interface WantedSample {
  readonly operation: Operation;
  /** Undefined if its success has no content. */
  readonly sent: SentMedia | undefined;
  readonly sampling: Sampling;
  readonly refuse: RefuseFault;
}

/**
 * Generates the response of a stateless operation. A JSON body is valid against its declared schema if a valid value is
 * found. Otherwise, it is the best value found, and `Cloche-Undeclared` marks it, as it marks a fallback for another
 * notation. The field `Cloche-Sample` contains its source. If there is no value, or the schema cannot be compiled, the
 * response is 501 with the reason.
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
      : await makeSampleBody({ ...sampling, operation, sent });
  const place = sent?.media.schema?.pointer ?? sent?.media.pointer ?? operation.pointer;
  if (made === undefined) {
    return refuseSample(wanted, `no value was found that the schema at ${place} accepts`);
  }
  const undeclared = made.mismatch === undefined ? 'other-operations' : 'not-mocked';
  const note: AnswerNote = {
    operation: operation.id,
    ...(made.isDeclared ? {} : { undeclared }),
    ...(made.mismatch !== undefined && {
      message: `No value was found that the schema at ${place} accepts; of the best one, ${made.mismatch}.`,
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
    ...writeSample(sent, hasContent ? made.content : undefined),
    note,
  };
}

/** Returns the content of a sample; that of an event stream also as its events, which have ids if the document allows them. */
function writeSample(
  sent: SentMedia | undefined,
  body: MockResponse['body'],
): Pick<MockResponse, 'body' | 'events'> {
  if (sent?.codec !== eventStreamCodec || typeof body !== 'string') return { body };
  const { media } = sent;
  const plain = splitEvents(body);
  const numbered = plain.map(giveId);
  const joined = numbered.join('');
  const read = eventStreamCodec.parseStream?.(new TextEncoder().encode(joined), media);
  const validate = media.schema?.validator({ formats: 'ignore', integers: 'by-value' });
  const allowsIds =
    read?.kind !== 'value' || validate?.accepts(read.value, holdsExactNumber(read.value)) !== false;
  const texts = allowsIds ? numbered : plain;
  return { body: texts.join(''), events: { ...media.stream, texts } };
}

/** Returns the part of a stream after the last event that a client received; 204 tells it to stop (HTML §9.2.4). */
export function resumeEvents(answer: MockResponse, lastId: string | undefined): MockResponse {
  const { events } = answer;
  if (events === undefined || lastId === undefined) return answer;
  const rest = events.texts.slice(events.texts.findIndex((text) => idOf(text) === lastId) + 1);
  if (rest.length > 0 || events.open === true) {
    return { ...answer, body: rest.join(''), events: { ...events, texts: rest } };
  }
  const headers = withoutFields(answer.headers, ['content-type']);
  return { ...answer, status: 204, headers, body: undefined, events: undefined };
}

/** A media type for which the mock has no valid sample of an operation. */
export interface Mismatch {
  readonly operation: Operation;
  /** Omitted if the success has no content. */
  readonly contentType?: string;
  /** The status of the response: 501 if there is no value, else that of the success. */
  readonly status: number;
  /** The reason, as a sentence. */
  readonly message: string;
}

/** Returns whether a sample can be found without generating it. */
function isSurelyMade(sent: SentMedia): boolean {
  try {
    return fitsPlainly(sent);
  } catch (error) {
    // Its generation reports why the schema cannot be compiled.
    if (error instanceof ClocheError) return false;
    throw error;
  }
}

/** Generates all samples of a contract and lists those that are invalid; takes seconds for a large document. */
export async function listMismatches(contract: Contract): Promise<readonly Mismatch[]> {
  const refuse = createFaultRefuser(contract);
  // With plain texts in place of generated words, which load slowly: the validity is the same.
  const sampling = { seed: 1, loadWords: (): Promise<ValueFromNames> => Promise.resolve(() => undefined) };
  const mismatches: Mismatch[] = [];
  for (const operation of contract.operations.filter((each) => keptRole(each) === undefined)) {
    const media = listSentMedia(findSuccessResponse(operation)?.media ?? []);
    for (const sent of media.length === 0 ? [undefined] : media) {
      if (sent !== undefined && isSurelyMade(sent)) continue;
      const { status, note } = await makeSample({ operation, sent, sampling, refuse });
      if (note.undeclared === 'not-mocked') {
        const type = sent === undefined ? {} : { contentType: sent.contentType };
        mismatches.push({ operation, ...type, status, message: note.message ?? '' });
      }
    }
  }
  return mismatches;
}
