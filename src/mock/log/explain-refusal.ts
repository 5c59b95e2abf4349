import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operation.ts';
import type { SecurityScheme } from '../../contract/security.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import { policyClause } from '../content/policy-clause.ts';
import { quoteClause } from '../content/quote-clause.ts';
import type { AnswerNote } from '../steps/mock-answer.ts';
import type { BrokenClause, RequestProblem } from './logged-request.ts';

type Part = Pick<RequestProblem, 'parameter' | 'clause'>;

const nothing: Part = {};

function header(name: string): RequestProblem['parameter'] {
  return { in: 'header', name };
}

/** Where a scheme wants its credentials (OpenAPI 3.1 §4.8.27). */
function placeOfScheme(scheme: SecurityScheme | undefined): RequestProblem['parameter'] {
  return scheme?.kind === 'api-key' ? { in: scheme.in, name: scheme.parameter } : header('Authorization');
}

function securityClause({ root }: Contract, { pointer, security }: Operation): BrokenClause {
  const own = appendPointer(pointer, 'security');
  const names = security.map((alternative) => alternative.map(({ name }) => name).join(' and '));
  const isOwn = quoteClause(root, own) !== 'security';
  return {
    in: 'document',
    pointer: isOwn ? own : '/security',
    text: `security: [${names.join(', ')}]`,
  };
}

function explainWithOperation(
  condition: NonNullable<AnswerNote['condition']>,
  { contract, operation }: { contract: Contract; operation: Operation },
): Part {
  const { requestBody, security } = operation;
  switch (condition) {
    case 'missing-credentials':
    case 'invalid-credentials':
      return {
        parameter: placeOfScheme(security[0]?.[0]),
        clause: securityClause(contract, operation),
      };
    case 'missing-body':
      return requestBody === undefined
        ? nothing
        : {
            clause: {
              in: 'document',
              pointer: appendPointer(requestBody.pointer, 'required'),
              text: 'required: true',
            },
          };
    case 'unsupported-media-type':
      return requestBody === undefined
        ? nothing
        : {
            parameter: header('Content-Type'),
            clause: {
              in: 'document',
              pointer: appendPointer(requestBody.pointer, 'content'),
              text: `content: [${requestBody.media.map(({ range }) => range).join(', ')}]`,
            },
          };
    default:
      return nothing;
  }
}

function explainAlone(condition: NonNullable<AnswerNote['condition']>): Part {
  switch (condition) {
    case 'body-too-large':
      return { clause: policyClause('body-limit') };
    case 'too-many-requests':
      return { clause: policyClause('rate-limit') };
    case 'not-acceptable':
      return { parameter: header('Accept') };
    case 'invalid-host':
      return { parameter: header('Host') };
    default:
      return nothing;
  }
}

/**
 * What speaks against a request that was refused for something outside of its body and its parameters: which field, and
 * which clause. It is found when the log is read.
 */
export function explainRefusal(
  { condition, message, operation: id, forced }: AnswerNote,
  contract: Contract,
): readonly RequestProblem[] {
  if (condition === undefined || message === undefined || forced === true) {
    return [];
  }
  const operation = contract.operations.find((each) => each.id === id);
  const part = operation === undefined ? nothing : explainWithOperation(condition, { contract, operation });
  return [{ reason: message.replace(/\.$/u, ''), ...(part === nothing ? explainAlone(condition) : part) }];
}
