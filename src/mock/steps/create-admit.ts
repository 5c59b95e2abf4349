import type { Contract } from '../../contract/contract.ts';
import { createRouter } from '../../contract/create-router.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Policy } from '../../policy/policy.ts';
import { acceptsMedia } from '../content/accepts-media.ts';
import { shorten } from '../content/shorten.ts';
import { createRefuser } from '../refusals/create-refuser.ts';
import { findErrorShape } from '../refusals/error-shape.ts';
import { answerPreflight, isPreflight } from './cors.ts';
import { createRateLimiters } from './create-rate-limiters.ts';
import { listServerPrefixes } from './list-server-prefixes.ts';
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
  readonly clock: () => number;
}): Admit {
  const { contract, policy, prepared } = input;
  const route = createRouter(contract);
  const prefixes = listServerPrefixes(contract);
  const errorShape = findErrorShape(contract.operations);
  const refuseOther = createRefuser({ operation: undefined, policy, errorShape });
  const limiters = createRateLimiters({ contract, policy, clock: input.clock });

  /** A path without the prefix of a server, where it leads somewhere only so. */
  function toDeclaredPath(path: string): string {
    if (prefixes.length === 0 || route(path) !== undefined) {
      return path;
    }
    const prefix = prefixes.find(
      (each) => path.startsWith(`${each}/`) && route(path.slice(each.length)) !== undefined,
    );
    return prefix === undefined ? path : path.slice(prefix.length);
  }

  function refuseUnknown(head: RequestHead, path: string, methods: readonly string[]): MockAnswer {
    if (methods.length === 0) {
      const message = `There is nothing at ${shorten(path)}: the contract has no such path.`;
      return refuseOther({ condition: 'unknown-path', message });
    }
    const allowed = methods.join(', ');
    const message = `${shorten(head.method)} is not declared for ${shorten(path)}: it takes ${allowed}.`;
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

  return (head, begun) => {
    const path = toDeclaredPath(pathOf(head.target));
    const found = route(path);
    if (isPreflight(head)) {
      return answerPreflight(head, [...(found?.operations.keys() ?? [])]);
    }
    const declared = found?.operations.get(head.method);
    const operation = declared === undefined ? undefined : prepared.get(declared);
    const seconds = (declared === undefined ? limiters.general : limiters.of(declared))?.();
    if (seconds !== undefined) {
      return refuseHurry(operation, seconds);
    }
    if (found === undefined || operation === undefined) {
      return refuseUnknown(head, path, [...(found?.operations.keys() ?? [])]);
    }
    return (
      refuseHead(head, operation) ?? {
        kind: 'admitted',
        head,
        path,
        operation,
        parameters: found.parameters,
        begun,
      }
    );
  };
}
