import { plainRequest } from '../arbitrary/request.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { selectOperations } from '../contract/select-operations.ts';
import { declaresExactly } from '../contract/responses.ts';
import type { Exchange } from '../http/message.ts';
import type { JsonValue } from '../json/value.ts';
import { documentValueOf } from '../policy/document-answers.ts';
import type { BehaviourId } from '../policy/behaviour.ts';
import { asksCredentials } from '../policy/behaviours/credentials.ts';
import { behaviourIds, behaviours } from '../policy/behaviours/index.ts';
import { describeRejected, remedyOfUnknownPaths } from '../session/cannot-judge.ts';
import { hasCredentials } from '../session/credentials.ts';
import { cannotJudge } from '../session/throttle.ts';
import { probeBehaviour, findSample, type FoundSample, showExchange } from './ask.ts';
import type { LearnOptions, Learnt, LearntOutcome, LearntBehaviour } from './events.ts';
import { createKeyTrust, type KeyTrust, mostTries } from './key-trust.ts';
import { sampleForms } from './sample.ts';
import { Interrupted, LearntService, OutOfRequests } from './service.ts';
import { joinAnswers } from './to-policy-file.ts';

/**
 * Finds the behaviours of a running service that its contract does not specify. Probes each one several times.
 *
 * It avoids harm: it creates only necessary items, with new ids, deletes them in the end if possible, and does not
 * probe operations that change existing data.
 *
 * @throws ClocheError CANNOT_JUDGE if the service does not respond, or rejects every plain request
 *
 * @example
 * const { answers } = await learn({ contract, send: mock.send, token: 'secret', keys: [1, 1_000_000] });
 */
export async function learn(options: LearnOptions): Promise<Learnt> {
  const { contract, trials = 3, emit = () => undefined, questions: wanted = behaviourIds } = options;
  const { baseUrl = 'http://127.0.0.1:4010' } = options;
  const service = new LearntService(options);
  const asked: LearntBehaviour[] = [];
  const note = (operationId: string, question: BehaviourId | 'sample') => (exchange: Exchange) =>
    emit({ kind: 'exchange', operationId, question, exchange });

  /** Finds the plain request that an operation accepts. Probes build on it. */
  async function sample(operation: Operation): Promise<SampledOperation> {
    const keyTrust = createKeyTrust();
    if (whyNot(operation) !== undefined) return { operation, keyTrust, sample: undefined };
    try {
      const onExchange = note(operation.id, 'sample');
      const found = await findSample({ service, operation, keyTrust, onExchange });
      if (found.isAccepted && found.form !== undefined) service.forms.set(operation, found.form);
      return { operation, keyTrust, sample: found };
    } catch (error) {
      if (error instanceof OutOfRequests) {
        return { operation, keyTrust, sample: undefined, whyNoSample: error.message };
      }
      throw error;
    }
  }

  /** Probes the behaviours of an operation one after the other. Later probes may use the results of earlier ones. */
  async function ask(of: SampledOperation): Promise<void> {
    const { operation, keyTrust } = of;
    const settled = new Map<BehaviourId, JsonValue>();
    for (const id of behaviourIds.filter((each) => wanted.includes(each))) {
      // A behaviour of the whole service is probed on one operation, the first to which it applies.
      if (isOfService(id) && asked.some((one) => one.question === id && one.outcome.kind !== 'not-asked')) {
        continue;
      }
      const outcome =
        knownOutcome(id, of, contract) ??
        (await probeBehaviour({
          service,
          id,
          operation,
          trials,
          form: of.sample?.form,
          keyTrust,
          settled,
          onExchange: note(operation.id, id),
          show: (exchange) => showExchange(exchange, { baseUrl, secrets: service.secrets() }),
        }));
      if ((outcome.kind === 'settled' || outcome.kind === 'answered') && outcome.answer !== undefined) {
        settled.set(id, outcome.answer);
      }
      if (behaviours[id].isOfResources === true && outcome.kind === 'not-asked') continue;
      const learnt = { operationId: operation.id, question: id, outcome };
      asked.push(learnt);
      emit({ kind: 'question', learnt });
    }
  }

  let interrupted = false;
  refuseUnlearnable(options, []);
  try {
    const sampled: SampledOperation[] = [];
    for (const operation of selectOperations(contract, { changesOthers: true, excluded: options.excluded })
      .targets) {
      sampled.push(await sample(operation));
    }
    refuseUnlearnable(options, sampled);
    for (const of of sampled) {
      await ask(of);
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    interrupted = true;
  } finally {
    await service.takeAway();
  }
  return { ...joinAnswers(asked), questions: asked, interrupted, ...service.tally };
}

/** An operation, and the result of a plain request to it. */
interface SampledOperation {
  readonly operation: Operation;
  readonly keyTrust: KeyTrust;
  /** Undefined if none is sent, or if the maximum number of requests was reached. */
  readonly sample: FoundSample | undefined;
  /** The reason why none is known, if a limit was reached. */
  readonly whyNoSample?: string;
}

/** Returns whether one operation determines a behaviour for all. */
function isOfService(id: BehaviourId): boolean {
  return behaviours[id].scope === 'service' || behaviours[id].probe.isOfService === true;
}

/** These methods change existing data, which must not be harmed. */
const harmful = new Set(['PUT', 'PATCH', 'DELETE']);

/** Returns why an operation is not probed at all; undefined if it is. */
function whyNot(operation: Operation): string | undefined {
  if (harmful.has(operation.method)) return `${operation.method} changes what is there already`;
  const { body, problem } = plainRequest(operation);
  if (body.kind === 'body' && body.body.notation !== undefined) return 'its body is not JSON';
  return problem === undefined ? undefined : `no plain request can be made, as ${problem}`;
}

/** Returns the result for a behaviour that is known without a probe. */
function knownOutcome(
  id: BehaviourId,
  { operation, sample, whyNoSample = 'no plain request was sent' }: SampledOperation,
  contract: Contract,
): LearntOutcome | undefined {
  // Probes of resources use items that were created for them.
  const makesItems = behaviours[id].isOfResources === true;
  const why = makesItems ? undefined : whyNot(operation);
  if (why !== undefined) return { kind: 'not-asked', why };
  const documentValue = documentValueOf({ id, operation, contract });
  if (documentValue.kind === 'not-asked') return { kind: 'not-asked', why: documentValue.why };
  if (documentValue.kind === 'answered') {
    const { says, answer } = documentValue;
    return { kind: 'answered', says, ...(answer === undefined ? {} : { answer }) };
  }
  if (makesItems) return undefined;
  if (sample === undefined) return { kind: 'unsettled', why: whyNoSample };
  if (!behaviours[id].probe.needsTaken || sample.isAccepted) return undefined;
  const { status } = sample;
  return {
    kind: 'unsettled',
    why: status === undefined ? 'a plain request gets no answer' : `a plain request is answered ${status}`,
  };
}

interface Sent {
  readonly operation: Operation;
  readonly sample: FoundSample;
}

const rejectedStatuses: readonly (number | undefined)[] = [401, 403, 407];

/**
 * Rejects (CANNOT_JUDGE) a service from which nothing can be learnt: it requires a token and none is given, it rejects
 * all credentials, no path is known, or every plain request gets a redirect, a failure or an HTML page. `samples` is
 * empty before plain requests are sent.
 */
function refuseUnlearnable(
  options: LearnOptions,
  samples: readonly Pick<SampledOperation, 'operation' | 'sample'>[],
): void {
  const { contract, target = 'the service' } = options;
  if (!hasCredentials(options) && contract.operations.some(asksCredentials)) {
    const reason = 'its document asks for credentials, and none were given';
    throw cannotJudge(target, reason, 'Pass --token, or set CLOCHE_TOKEN');
  }
  const sent = samples.flatMap(({ operation, sample }) => (sample ? [{ operation, sample }] : []));
  const [first] = sent;
  if (first === undefined) return;
  const { method, path } = first.operation;
  if (sent.every(({ sample }) => sample.status === undefined)) {
    const unanswered = `it does not answer ${method} ${path.template}, a plain request`;
    throw cannotJudge(target, unanswered, 'Give it more time with --timeout, or fix it first');
  }
  const guarded = sent.filter(({ operation }) => asksCredentials(operation));
  const [shut] = guarded;
  if (shut !== undefined && guarded.every(({ sample }) => rejectedStatuses.includes(sample.status))) {
    const { what, remedy } = describeRejected(options, shut.operation);
    throw cannotJudge(target, `it rejected ${what} with ${shut.sample.status}`, remedy);
  }
  const isConcrete = ({ segments }: Operation['path']): boolean =>
    segments.every(({ kind }) => kind === 'literal');
  if (sent.every(({ operation, sample }) => sample.status === 404 && isConcrete(operation.path))) {
    throw cannotJudge(
      target,
      `it answers 404 to ${method} ${path.template}`,
      remedyOfUnknownPaths(options, 'learn'),
    );
  }
  const reason = sent.every(isStrange) ? describeStrange(first) : undefined;
  if (reason !== undefined) throw cannotJudge(target, ...reason);
}

/** Returns whether a response does not come from a service of this document. Probes of it would show nothing. */
function isStrange({ operation, sample: { status = 0, mediaType } }: Sent): boolean {
  const isPage =
    mediaType === 'text/html' &&
    status < 300 &&
    operation.responses.every(({ media }) =>
      media.every(({ range }) => range !== mediaType && !range.includes('*')),
    );
  return isPage || (status >= 300 && status < 400 && !declaresExactly(operation, status)) || status >= 500;
}

/** Returns the reason why nothing can be learnt from a response, and the remedy. */
function describeStrange({ operation, sample }: Sent): readonly [reason: string, remedy: string] {
  const { status = 0, location, mediaType = '' } = sample;
  const request = `${operation.method} ${operation.path.template}`;
  const answers = `it answers ${status} to ${request}`;
  if (status >= 500) return [`${answers}, a plain request`, 'Fix it first'];
  if (status < 300) {
    const reason = `${answers} with ${mediaType}, which the document does not declare`;
    return [reason, 'Give the base URL under which the service lives'];
  }
  const where = location === undefined ? '' : `, and sends the client to ${location.replace(/[?#].*/u, '')}`;
  return [answers + where, 'Redirects are not followed: give the base URL under which the service lives'];
}

/** Returns the maximum number of requests without a cap: for all unspecified behaviours, and for the samples. */
export function mostRequestsOf(input: {
  readonly contract: Contract;
  readonly trials: number;
  readonly questions: readonly BehaviourId[];
}): number {
  const { contract, trials } = input;
  const ids = behaviourIds.filter((id) => input.questions.includes(id));
  // A request without a body has no id.
  const tries = (id: BehaviourId): number => (behaviours[id].probe.needsTaken ? mostTries : 1);
  const ofTrials = ids.map((id) => {
    const open = contract.operations.filter(
      (operation) => documentValueOf({ id, operation, contract }).kind === 'open',
    );
    const asked = Math.min(open.length, isOfService(id) ? 1 : Infinity);
    return asked * behaviours[id].probe.mostRequests * tries(id) * trials;
  });
  const ofSamples = contract.operations.map((operation) => {
    const { body } = plainRequest(operation);
    return body.kind === 'body' ? Math.max(1, sampleForms(body.body).length) * mostTries : 1;
  });
  return [...ofTrials, ...ofSamples].reduce((sum, count) => sum + count, 0);
}
