import type { Contract, Operation } from '../contract/contract.ts';
import { keptRole } from '../contract/resources.ts';
import { findSuccessResponse } from '../contract/responses.ts';
import { eventStreamCodec } from '../http/codecs/event-stream.ts';
import type { JsonValue } from '../json/value.ts';
import type { ValueFromNames } from '../schema/value/sample-value.ts';
import { listSentMedia, type SentMedia } from './answer/representation.ts';
import type { Sampling } from './answer/sample-body.ts';
import type { MockClock } from './clock.ts';
import { createFaultRefuser } from './faults/inject.ts';
import { prepareSampleChoice, type SampleChoice } from './handlers/sample-choice.ts';
import type { OperationHandler } from './handlers/stored-form.ts';
import { type MaybePromise, type MockResponse, whenThere } from './message.ts';
import { chooseAccepted } from './request/body.ts';

/** Creates the options for generated values. */
export function createSampling(seed: number, clock: MockClock): Sampling {
  let valueFromNames: Promise<ValueFromNames> | undefined;
  return {
    seed,
    /** Loads the words only when needed: there are many, and most carefully written documents need none. */
    loadWords() {
      valueFromNames ??= import('../schema/value/words.ts').then((words) => words.loadWords(clock.now));
      return valueFromNames;
    },
  };
}

/** Creates the handlers of operations without state. Each answers with a sample, made when first requested. */
export function createSampler(
  contract: Contract,
  sampling: Sampling,
): Pick<ReadonlyMap<Operation, OperationHandler>, 'get'> {
  const refuse = createFaultRefuser(contract);

  async function make(operation: Operation, sent: SentMedia | undefined): Promise<MockResponse> {
    const { makeSample } = await import('./handlers/samples.ts');
    return makeSample({ operation, sent, sampling, refuse });
  }

  return {
    get(operation) {
      if (keptRole(operation) !== undefined) return undefined;
      const media = listSentMedia(findSuccessResponse(operation)?.media ?? []);
      const types = media.map(({ contentType }) => contentType);
      const answers = new Map<string, MaybePromise<MockResponse>>();
      const choices: SampleChoice[] = [];
      return (request) => {
        const at = types.length < 2 ? 0 : chooseAccepted(request.head.header('accept') ?? '*/*', types);
        const sent = media[at];
        const choice = (choices[at] ??= prepareSampleChoice(operation, sent?.media, contract.root));
        const example = choice.choose(request);
        const name = `${at} ${example?.name ?? ''}`;
        const made =
          answers.get(name) ??
          make(operation, sent && example ? showFirst(sent, example.value) : sent).then((answer) => {
            answers.set(name, answer);
            return answer;
          });
        answers.set(name, made);
        const shown = whenThere(made, (answer) => choice.withId(answer, request));
        if (sent?.codec !== eventStreamCodec) return shown;
        return import('./handlers/samples.ts').then(async ({ resumeEvents }) =>
          resumeEvents(await shown, request.head.header('last-event-id')),
        );
      };
    },
  };
}

/** Returns a media type with the example added as its first. */
function showFirst(sent: SentMedia, example: JsonValue): SentMedia {
  return { ...sent, media: { ...sent.media, examples: [example, ...sent.media.examples] } };
}
