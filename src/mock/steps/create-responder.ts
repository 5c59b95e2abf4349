import type { Contract } from '../../contract/contract.ts';
import { createRouter } from '../../contract/create-router.ts';
import type { Operation } from '../../contract/operation.ts';
import { acceptsMedia } from '../content/accepts-media.ts';
import { shorten } from '../content/shorten.ts';
import type { CredentialsProblem } from '../credentials/create-authenticator.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { whenThere } from '../maybe-promise.ts';
import { parseQuery, type QueryMember } from '../parameters/parse-query.ts';
import { createRefuser, type Refuse } from '../refusals/create-refuser.ts';
import { findErrorShape } from '../refusals/error-shape.ts';
import { answerPreflight, corsFields, isPreflight } from './cors.ts';
import { createRateLimiter } from './create-rate-limiter.ts';
import type { MockAnswer } from './mock-answer.ts';
import { type Preparation, prepareOperation } from './prepare-operation.ts';
import type { PreparedOperation } from './prepared-operation.ts';
import type { RequestContent, RequestHead } from './request-head.ts';
import { pathOf } from './split-target.ts';

/** A request that waits for its content. */
export interface Admitted {
  readonly kind: 'admitted';
  readonly head: RequestHead;
  readonly path: string;
  readonly operation: PreparedOperation;
  readonly parameters: Readonly<Record<string, string>>;
}

/** What the head of a request comes to. */
export type Admission = Admitted | { readonly kind: 'answered'; readonly answer: MockAnswer };

/** The steps of an answer. */
export interface Responder {
  /** The most bytes of content that are taken. */
  readonly contentLimit: number;
  /**
   * Takes a request in by its head: preflight, route, rate limit, credentials. It is called once for a
   * request; content need not be read where the head decides.
   */
  admit(head: RequestHead): Admission;
  /** Answers an admitted request when its content is there. Without a promise where nothing is waited for. */
  respond(admitted: Admitted, content: RequestContent): MaybePromise<MockAnswer>;
}

function refuseCredentials(refuse: Refuse, { condition, message, challenge }: CredentialsProblem): MockAnswer {
  const answer = refuse({ condition, message });
  // A 401 must say how to do better (RFC 9110 §11.6.1).
  return answer.status === 401 && challenge !== ''
    ? { ...answer, headers: [...answer.headers, 'WWW-Authenticate', challenge] }
    : answer;
}

const noMembers: readonly QueryMember[] = [];

/**
 * Prepares the steps of an answer for a contract: route, authenticate, read, validate, act, respond.
 *
 * @param preparation.clock - milliseconds
 * @throws ClocheError SCHEMA_UNUSABLE where a schema of the document cannot be compiled
 */
export function createResponder(
  contract: Contract,
  preparation: Preparation & { readonly clock: () => number },
): Responder {
  const { policy } = preparation;
  const route = createRouter(contract);
  const prepared = new Map<Operation, PreparedOperation>(
    contract.operations.map((operation) => [operation, prepareOperation(operation, preparation)]),
  );
  const refuseOther = createRefuser({
    operation: undefined,
    policy,
    errorShape: findErrorShape(contract.operations),
  });
  const waitFor = createRateLimiter(policy['rate-limit'], preparation.clock);
  const cors = corsFields(contract);
  const contentLimit = policy['body-limit'].bytes;
  const authenticatesFirst = policy['auth-order'] === 'before';

  /** Makes an answer one that its client may have: readable by a page, and without content for HEAD. */
  function finish(head: RequestHead, answer: MockAnswer): MockAnswer {
    const isHead = head.method === 'HEAD';
    if (head.header('origin') === undefined) {
      return isHead ? { ...answer, body: undefined } : answer;
    }
    return { ...answer, headers: [...answer.headers, ...cors], body: isHead ? undefined : answer.body };
  }

  function refuseUnknown(head: RequestHead, path: string, methods: readonly string[]): MockAnswer {
    if (methods.length === 0) {
      const message = `There is nothing at ${shorten(path)}: the contract has no such path.`;
      return refuseOther({ condition: 'unknown-path', message });
    }
    const message = `${shorten(head.method)} is not declared for ${shorten(path)}: it takes ${methods.join(', ')}.`;
    const answer = refuseOther({ condition: 'unknown-method', message });
    return answer.status === 405 ? { ...answer, headers: [...answer.headers, 'Allow', methods.join(', ')] } : answer;
  }

  function refuseHead(head: RequestHead, operation: PreparedOperation): MockAnswer | undefined {
    const problem = authenticatesFirst ? operation.authenticate?.(head) : undefined;
    if (problem !== undefined) {
      return refuseCredentials(operation.refuse, problem);
    }
    const accept = operation.mustAccept === undefined ? undefined : head.header('accept');
    if (accept !== undefined && operation.mustAccept !== undefined && !acceptsMedia(accept, operation.mustAccept)) {
      const message = `The answer is ${operation.mustAccept}, which the Accept of the request does not allow.`;
      return operation.refuse({ condition: 'not-acceptable', message });
    }
    return undefined;
  }

  function findParameterProblem({ head, operation, parameters }: Admitted): string | undefined {
    if (operation.checkParameters.length === 0) {
      return undefined;
    }
    const query = operation.readsQuery ? parseQuery(head.target) : noMembers;
    for (const check of operation.checkParameters) {
      const problem = check({ head, path: parameters, query });
      if (problem !== undefined) {
        return problem;
      }
    }
    return undefined;
  }

  function answer(admitted: Admitted, content: RequestContent): MaybePromise<MockAnswer> {
    const { head, path, operation } = admitted;
    const { readContent, checkBody, refuse } = operation;
    const parameterProblem = findParameterProblem(admitted);
    if (parameterProblem !== undefined) {
      return refuse({ condition: 'invalid-parameter', message: `The request is not valid: ${parameterProblem}.` });
    }
    const reading = readContent === undefined ? absent : readContent(head, content);
    if (reading.kind === 'refused') {
      return refuse(reading);
    }
    const bodyProblem =
      reading.kind === 'value' ? checkBody?.(reading.value, reading.exact, reading.media) : undefined;
    if (bodyProblem !== undefined) {
      return refuse({ condition: 'invalid-body', message: bodyProblem });
    }
    const credentials = authenticatesFirst ? undefined : operation.authenticate?.(head);
    if (credentials !== undefined) {
      return refuseCredentials(refuse, credentials);
    }
    return operation.act({ head, path, content: reading });
  }

  return {
    contentLimit,
    admit(head) {
      const path = pathOf(head.target);
      const found = route(path);
      if (isPreflight(head)) {
        const preflight = answerPreflight(head, [...(found?.operations.keys() ?? [])]);
        return { kind: 'answered', answer: finish(head, preflight) };
      }
      const declared = found?.operations.get(head.method);
      const operation = declared === undefined ? undefined : prepared.get(declared);
      const wait = waitFor();
      if (wait !== undefined) {
        const refuse = operation?.refuse ?? refuseOther;
        const message = 'There were too many requests within a second: wait as long as Retry-After says.';
        const refusal = refuse({ condition: 'too-many-requests', message, headers: ['Retry-After', String(wait)] });
        return { kind: 'answered', answer: finish(head, refusal) };
      }
      if (found === undefined || operation === undefined) {
        const methods = [...(found?.operations.keys() ?? [])];
        return { kind: 'answered', answer: finish(head, refuseUnknown(head, path, methods)) };
      }
      const refusal = refuseHead(head, operation);
      return refusal === undefined
        ? { kind: 'admitted', head, path, operation, parameters: found.parameters }
        : { kind: 'answered', answer: finish(head, refusal) };
    },
    respond(admitted, content) {
      return whenThere(answer(admitted, content), (made) => finish(admitted.head, made));
    },
  };
}

const absent = { kind: 'absent' } as const;
