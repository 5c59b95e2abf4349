import type { Contract } from '../../contract/contract.ts';
import { findDeclaredResponse } from '../../contract/find-declared-response.ts';
import type { Operation } from '../../contract/operation.ts';
import { holdsExactNumber } from '../../json/holds-exact-number.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { Policy } from '../../policy/policy.ts';
import { policyOf } from '../../policy/policy-of.ts';
import type { ErrorFacts } from '../bodies/error-facts.ts';
import { replaceFields } from '../bodies/replace-fields.ts';
import { chooseSentMedia } from '../bodies/sent-media.ts';
import { findErrorShape } from '../refusals/error-shape.ts';
import type { AnswerNote, MockAnswer } from '../steps/mock-answer.ts';
import { conditionOf } from './condition-of.ts';
import type { ForcedAnswer } from './fault-rule.ts';
import { type ForcedContent, makeForcedContent } from './forced-content.ts';

/** Makes an answer that a fault or a preference asks for. */
export type Force = (input: {
  /** Undefined where the request led to none. */
  readonly operation: Operation | undefined;
  readonly answer: ForcedAnswer;
  /** The value of WWW-Authenticate, for a 401. */
  readonly challenge: string | undefined;
  /** What decided the answer, as a sentence; errors and the log say it. */
  readonly message: string;
}) => MockAnswer;

/** What a client is told to wait where nobody says how long, in seconds: a 429 comes with Retry-After (RFC 6585 §4). */
const plainRetryAfter = 1;

/**
 * Prepares the answers that are forced: what the document declares for the status, with its examples, else an error of
 * the document's shape, and nothing at all for a status that is no error. What is not declared is marked with
 * `Cloche-Undeclared: forced`.
 */
export function createForcer(contract: Contract, policy: Policy): Force {
  const { operations, root } = contract;

  function makeError(operation: Operation | undefined, facts: ErrorFacts): ForcedContent {
    if (facts.status < 400) {
      return { headers: [], body: '', isDeclared: false };
    }
    const shape = findErrorShape(operation === undefined ? operations : [operation, ...operations]);
    return { headers: shape.headers, body: shape.body?.(facts) ?? '', isDeclared: false };
  }

  /** A content that was given, in the JSON that the document declares for it, if it does. */
  function makeGiven(operation: Operation | undefined, status: number, body: JsonValue): ForcedContent {
    const response = findDeclaredResponse(operation?.responses ?? [], status);
    const sent = chooseSentMedia(response?.media.filter(({ isJson }) => isJson) ?? []);
    const problems = sent?.media.schema?.validator({ formats: 'assert', integers: 'by-value' })(
      body,
      holdsExactNumber(body),
    );
    return {
      headers: ['Content-Type', sent?.contentType ?? 'application/json'],
      body: stringifyJson(body),
      isDeclared: sent !== undefined && (problems ?? []).length === 0,
    };
  }

  function makeContent(
    operation: Operation | undefined,
    { status, example, body }: ForcedAnswer,
    facts: ErrorFacts,
  ): ForcedContent {
    if (body !== undefined) {
      return makeGiven(operation, status, body);
    }
    const response = findDeclaredResponse(operation?.responses ?? [], status);
    return response === undefined
      ? makeError(operation, facts)
      : makeForcedContent({ root, response, example, facts });
  }

  return ({ operation, answer, challenge, message }) => {
    const { status, headers = {} } = answer;
    const condition = conditionOf(status);
    const codes = policyOf(policy, operation?.id)['error-codes'];
    const code = codes === 'status' || condition === 'forced' ? status : (codes[condition] ?? status);
    const content = makeContent(operation, answer, { status, code, condition, message });
    const retryAfter = answer.retryAfter ?? (status === 429 ? plainRetryAfter : undefined);
    const further = [
      ...(retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)]),
      ...(status === 401 && challenge ? ['WWW-Authenticate', challenge] : []),
      ...(content.isDeclared ? [] : ['Cloche-Undeclared', 'forced']),
    ];
    const note: AnswerNote = {
      ...(operation === undefined ? {} : { operation: operation.id }),
      ...(content.isDeclared ? {} : { undeclared: 'forced' }),
      message,
      forced: true,
      ...(answer.headers === undefined
        ? {}
        : { givenFields: Object.keys(answer.headers).map((name) => name.toLowerCase()) }),
    };
    return {
      status,
      headers: replaceFields(replaceFields(content.headers, further), Object.entries(headers).flat()),
      body: status === 204 || status === 304 ? undefined : status === 205 ? '' : content.body,
      note,
    };
  };
}
