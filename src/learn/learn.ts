import { plainRequest } from '../arbitrary/plain-request.ts';
import type { Operation } from '../contract/operation.ts';
import type { Exchange } from '../http/exchange.ts';
import type { JsonValue } from '../json/json-value.ts';
import { probes } from '../policy/probes.ts';
import type { QuestionId } from '../policy/question-id.ts';
import { questions } from '../policy/questions.ts';
import { silenceOf } from '../policy/silence-of.ts';
import { createKeyAllocator } from '../runner/key-allocator.ts';
import { askQuestion } from './ask-question.ts';
import { createSender } from './create-sender.ts';
import { type FoundSample, findSample } from './find-sample.ts';
import { Interrupted } from './interrupted.ts';
import { joinAnswers } from './join-answers.ts';
import { createKeyTrust, type KeyTrust } from './key-trust.ts';
import type { LearnOptions } from './learn-options.ts';
import type { Learnt, LearntOutcome, LearntQuestion } from './learnt.ts';
import { OutOfRequests } from './out-of-requests.ts';
import { questionOrder } from './question-order.ts';
import { refuseUnlearnable } from './refuse-unlearnable.ts';
import { showExchange } from './show-exchange.ts';

/** What they are sent to is there already, and is not to be harmed. */
const harmful = new Set(['PUT', 'PATCH', 'DELETE']);

/** Why an operation is asked nothing at all, if so. */
function whyNot(operation: Operation): string | undefined {
  if (harmful.has(operation.method)) {
    return `${operation.method} changes what is there already`;
  }
  const { problem } = plainRequest(operation);
  return problem === undefined ? undefined : `no plain request can be made, as ${problem}`;
}

/** What is known of a question without asking it. */
function knownOutcome(
  input: {
    readonly id: QuestionId;
    readonly operation: Operation;
    readonly contract: LearnOptions['contract'];
  },
  sample: FoundSample | undefined,
): LearntOutcome | undefined {
  const why = whyNot(input.operation);
  if (why !== undefined) {
    return { kind: 'not-asked', why };
  }
  const silence = silenceOf(input);
  if (silence.kind === 'not-asked') {
    return { kind: 'not-asked', why: silence.why };
  }
  if (silence.kind === 'answered') {
    const { says, answer } = silence;
    return { kind: 'answered', says, ...(answer === undefined ? {} : { answer }) };
  }
  if (sample === undefined) {
    return { kind: 'unsettled', why: 'as many requests were sent as may be' };
  }
  return probes[input.id].needsTaken && !sample.isTaken
    ? {
        kind: 'unsettled',
        why:
          sample.status === undefined
            ? 'a plain request gets no answer'
            : `a plain request is answered ${sample.status}`,
      }
    : undefined;
}

/**
 * Asks a running service the questions that its contract leaves open, several times each, and tells what it answered.
 *
 * It does no harm that can be avoided: it creates what it must, under keys of its own, and asks nothing of operations
 * that change what is there.
 *
 * @throws ClocheError CANNOT_JUDGE where the service is not there, or turns every plain request away
 *
 * @example
 * const { answers } = await learn({ contract, send: mock.send, token: 'secret', keys: [1, 1_000_000] });
 */
export async function learn(options: LearnOptions): Promise<Learnt> {
  const { contract, token, trials = 3, emit = () => undefined, questions: wanted = questionOrder } = options;
  const { baseUrl = 'http://127.0.0.1:4010' } = options;
  const secrets = [...new Set([...(token === undefined ? [] : [token]), ...(options.secrets ?? [])])];
  const sender = createSender({ ...options, emit });
  const allocator = createKeyAllocator(options.keys);
  const asked: LearntQuestion[] = [];
  const askedOnce = new Set<QuestionId>();
  const common = { contract, sender, allocator, token };
  const trusts = new Map(contract.operations.map((operation) => [operation, createKeyTrust()]));
  const trustOf = (operation: Operation): KeyTrust => trusts.get(operation) ?? createKeyTrust();

  const tell = (operationId: string, question: QuestionId | 'sample') => (exchange: Exchange) =>
    emit({ kind: 'exchange', operationId, question, exchange });

  async function sampleOf(operation: Operation): Promise<FoundSample | undefined> {
    if (whyNot(operation) !== undefined) {
      return undefined;
    }
    try {
      const onExchange = tell(operation.id, 'sample');
      return await findSample({
        ...common,
        operation,
        settled: new Map(),
        known: new Map(),
        keyTrust: trustOf(operation),
        onExchange,
      });
    } catch (error) {
      if (error instanceof OutOfRequests) {
        return undefined;
      }
      throw error;
    }
  }

  async function askAll(operation: Operation, sample: FoundSample | undefined): Promise<void> {
    const settled = new Map<QuestionId, JsonValue>();
    for (const id of questionOrder.filter((each) => wanted.includes(each))) {
      const isOfService = questions[id].scope === 'service' || probes[id].isOfService === true;
      if (isOfService && askedOnce.has(id)) {
        continue;
      }
      const known = knownOutcome({ id, operation, contract }, sample);
      const outcome =
        known ??
        (await askQuestion({
          ...common,
          id,
          operation,
          trials,
          form: sample?.form,
          keyTrust: trustOf(operation),
          settled,
          onExchange: tell(operation.id, id),
          show: (exchange) => showExchange(exchange, { baseUrl, secrets }),
        }));
      if (outcome.kind === 'settled') {
        settled.set(id, outcome.answer);
      }
      if (outcome.kind === 'answered' && outcome.answer !== undefined) {
        settled.set(id, outcome.answer);
      }
      if (isOfService && outcome.kind !== 'not-asked') {
        askedOnce.add(id);
      }
      const learnt = { operationId: operation.id, question: id, outcome };
      asked.push(learnt);
      emit({ kind: 'question', learnt });
    }
  }

  async function askEverything(): Promise<void> {
    const samples: { readonly operation: Operation; readonly sample: FoundSample | undefined }[] = [];
    for (const operation of contract.operations) {
      samples.push({ operation, sample: await sampleOf(operation) });
    }
    refuseUnlearnable(options, samples);
    for (const { operation, sample } of samples) {
      await askAll(operation, sample);
    }
  }

  refuseUnlearnable(options, []);
  let interrupted = false;
  try {
    await askEverything();
  } catch (error) {
    if (!(error instanceof Interrupted)) {
      throw error;
    }
    interrupted = true;
  }
  return { ...joinAnswers(asked), questions: asked, interrupted, ...sender.tally };
}
