import type { Operation } from '../contract/operation.ts';
import { hasValidBody } from './has-valid-body.ts';
import { keepFewer } from './keep-fewer.ts';
import { plainRequest } from './plain-request.ts';
import type { RequestCase } from './request-case.ts';
import { requestCost } from './request-cost.ts';
import { simplestRequests } from './simplest-requests.ts';
import { simplifyBody } from './simplify-body.ts';

/** What is to be made smaller, and how. */
export interface RequestSimplification {
  readonly large: RequestCase;
  /** What the request is aimed at, or undefined where it is aimed at none. */
  readonly operation: Operation | undefined;
  /** Whether a body may become any smaller one, or only one of the simplest. */
  readonly bodies: 'any' | 'simplest';
}

const aspects = ['target', 'headers', 'credentials', 'framing', 'body'] as const;

/** The simple request with as few aspects of the large one as can be. */
function* keepAspects(large: RequestCase, simple: RequestCase): Generator<RequestCase> {
  const changed = aspects.filter(
    (aspect) => JSON.stringify(large[aspect]) !== JSON.stringify(simple[aspect]),
  );
  for (const kept of keepFewer(changed)) {
    yield { ...simple, ...Object.fromEntries(kept.map((aspect) => [aspect, large[aspect]])) };
  }
}

function* simplifyQuery(target: string): Generator<string> {
  const [path = '', ...query] = target.split('?');
  const pairs = query.length === 0 ? [] : query.join('?').split('&');
  for (const kept of keepFewer(pairs)) {
    yield kept.length === 0 ? path : `${path}?${kept.join('&')}`;
  }
}

function* simplifyContent(large: RequestCase, operation: Operation | undefined): Generator<RequestCase> {
  const plain = operation === undefined ? undefined : plainRequest(operation).body;
  const bodies = simplifyBody(large.body ?? [], plain?.kind === 'body' ? plain.body : undefined);
  for (const body of large.body === undefined ? [] : bodies) {
    yield { ...large, body };
  }
}

function* candidates(input: RequestSimplification, simplest: readonly RequestCase[]): Generator<RequestCase> {
  const { large, operation, bodies } = input;
  for (const simple of simplest) {
    yield* keepAspects(large, simple);
  }
  if (bodies === 'any') {
    yield* simplifyContent(large, operation);
  }
  for (const target of simplifyQuery(large.target)) {
    yield { ...large, target };
  }
  for (const headers of keepFewer(large.headers)) {
    yield { ...large, headers };
  }
}

/**
 * Lists smaller requests than a given one: the simplest request but for as few of its aspects as can be,
 * then with less in each of them. A valid body stays valid: what is wrong with the answer to it would be
 * another finding if the body were to be refused.
 */
export function* simplifyRequest(input: RequestSimplification): Generator<RequestCase> {
  const { large, operation } = input;
  const simplest = operation === undefined ? [] : simplestRequests(large, operation);
  const usual = simplest.at(-1);
  const cost = requestCost(large, usual);
  const isValid = (request: RequestCase): boolean =>
    operation !== undefined && hasValidBody(request, operation);
  const staysValid = isValid(large);
  for (const candidate of candidates(input, simplest)) {
    if (requestCost(candidate, usual) < cost && (!staysValid || isValid(candidate))) {
      yield candidate;
    }
  }
}
