import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Policy } from '../../policy/policy.ts';
import { acceptsMedia } from '../content/accepts-media.ts';
import type { Interferer } from '../faults/create-interferer.ts';
import { interfereWith } from '../faults/interference.ts';
import { createRefuser } from '../refusals/create-refuser.ts';
import { findErrorShape } from '../refusals/error-shape.ts';
import { type Cors, isPreflight } from './cors.ts';
import { createDeclaredPaths } from './create-declared-paths.ts';
import { createRateLimiters } from './create-rate-limiters.ts';
import { createUnknownExplainer } from './create-unknown-explainer.ts';
import type { MockAnswer } from './mock-answer.ts';
import type { PreparedOperation } from './prepared-operation.ts';
import { refuseCredentials } from './refuse-credentials.ts';
import type { RequestHead } from './request-head.ts';
import type { Admitted } from './responder.ts';
import { pathOf } from './path-of.ts';

/** Takes a request in, or answers it. */
export type Admit = (head: RequestHead, begun: number) => Admitted | MockAnswer;

/**
 * Prepares the steps that need the head of a request alone: preflight, route, rate limit, credentials where
 * they come first, Accept.
 *
 * @param input.clock - milliseconds
 */
export function createAdmit(input: {
  readonly contract: Contract;
  readonly policy: Policy;
  readonly prepared: ReadonlyMap<Operation, PreparedOperation>;
  /** Undefined where nothing comes between a request and its answer. */
  readonly interferer: Interferer | undefined;
  /** Undefined where a preflight is a request like any other. */
  readonly cors: Cors | undefined;
  readonly clock: () => number;
}): Admit {
  const { contract, policy, prepared, interferer, cors } = input;
  const { route, toDeclaredPath } = createDeclaredPaths(contract);
  const errorShape = findErrorShape(contract.operations);
  const refuseOther = createRefuser({ operation: undefined, policy, errorShape });
  const { explainPath, explainMethod } = createUnknownExplainer(contract);
  const limiters = createRateLimiters({ contract, policy, clock: input.clock });

  function refuseUnknown(head: RequestHead, path: string, methods: readonly string[]): MockAnswer {
    if (methods.length === 0) {
      const message = explainPath(head.method, path);
      return refuseOther({ condition: 'unknown-path', message });
    }
    const allowed = methods.join(', ');
    const message = explainMethod({ method: head.method, path, allowed: methods });
    const answer = refuseOther({ condition: 'unknown-method', message });
    return answer.status === 405 ? { ...answer, headers: [...answer.headers, 'Allow', allowed] } : answer;
  }

  function refuseHurry(operation: PreparedOperation | undefined, seconds: number): MockAnswer {
    const refuse = operation?.refuse ?? refuseOther;
    const message = 'There were too many requests within a second: wait as long as Retry-After says.';
    return refuse({ condition: 'too-many-requests', message, headers: ['Retry-After', String(seconds)] });
  }

  function refuseHead(
    head: RequestHead,
    { authenticate, authenticatesFirst, mustAccept, refuse }: PreparedOperation,
  ): MockAnswer | undefined {
    const problem = authenticatesFirst ? authenticate?.(head) : undefined;
    if (problem !== undefined) {
      return refuseCredentials(refuse, problem);
    }
    const accept = mustAccept === undefined ? undefined : head.header('accept');
    if (accept === undefined || mustAccept === undefined || acceptsMedia(accept, mustAccept)) {
      return undefined;
    }
    const message = `The answer is ${mustAccept}, which the Accept of the request does not allow.`;
    return refuse({ condition: 'not-acceptable', message });
  }

  /** The value of WWW-Authenticate for a request that brings nothing. */
  function challengeOf(operation: Operation): string | undefined {
    const bare = { method: operation.method, target: '', header: () => undefined, fields: () => [] };
    return prepared.get(operation)?.authenticate?.(bare)?.challenge;
  }

  return (head, begun) => {
    const path = toDeclaredPath(pathOf(head.target));
    const found = route(path);
    if (cors !== undefined && isPreflight(head)) {
      return cors.answerPreflight(head, [...(found?.operations.keys() ?? [])]);
    }
    const interference =
      interferer?.interferes(head) === true
        ? interferer.interfere(head, { path, route: found, challengeOf })
        : undefined;
    if (interference?.forced !== undefined) {
      return interfereWith(interference.forced, interference);
    }
    const declared = found?.operations.get(head.method);
    const operation = declared === undefined ? undefined : prepared.get(declared);
    const seconds = (declared === undefined ? limiters.general : limiters.of(declared))?.();
    if (seconds !== undefined) {
      return interfereWith(refuseHurry(operation, seconds), interference);
    }
    if (found === undefined || operation === undefined) {
      return interfereWith(refuseUnknown(head, path, [...(found?.operations.keys() ?? [])]), interference);
    }
    const refusal = refuseHead(head, operation);
    return refusal === undefined
      ? { kind: 'admitted', head, path, operation, parameters: found.parameters, begun, interference }
      : interfereWith(refusal, interference);
  };
}
