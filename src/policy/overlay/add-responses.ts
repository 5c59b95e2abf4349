import type { Contract } from '../../contract/contract.ts';
import { findDeclaredResponse } from '../../contract/find-declared-response.ts';
import { findExactResponse } from '../../contract/find-exact-response.ts';
import type { Operation } from '../../contract/operation.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { Addition } from '../declaration.ts';
import { contentOf } from './content-of.ts';
import type { DocumentChange } from './document-change.ts';
import { errorContent } from './error-content.ts';

type ResponseAddition = Extract<Addition, { readonly kind: 'response' }>;

/** RFC 9457 §3.1. */
const problemContent: JsonObject = {
  'application/problem+json': {
    schema: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        status: { type: 'integer' },
        detail: { type: 'string' },
      },
    },
  },
};

/**
 * Whether another response can be declared without a second meaning. 400 and 422 are also what a body gets that breaks its
 * schema: where the document declares one of them alone, or none, a second would change which of the two that is.
 */
function isClear(operation: Operation, status: number): boolean {
  if (status === 400 || status === 422) {
    return status === 422 && findExactResponse(operation, 400) !== undefined;
  }
  return true;
}

function toContent(
  { status, body }: ResponseAddition,
  { contract, operation }: { readonly contract: Contract; readonly operation: Operation },
): JsonObject {
  const covering = findDeclaredResponse(operation.responses, status);
  if (covering !== undefined) {
    return contentOf(contract, covering) ?? {};
  }
  switch (body) {
    case 'error':
      return errorContent(contract, operation);
    case 'problem':
      return problemContent;
    case 'empty':
      return {};
  }
}

/** Declares responses that an operation does not declare yet, one change for each status. */
export function addResponses(
  additions: readonly Addition[],
  where: { readonly contract: Contract; readonly operation: Operation },
): readonly DocumentChange[] {
  const { operation } = where;
  const wanted = additions.filter(
    (addition): addition is ResponseAddition =>
      addition.kind === 'response' &&
      findExactResponse(operation, addition.status) === undefined &&
      isClear(operation, addition.status),
  );
  const statuses = [...new Set(wanted.map(({ status }) => status))];
  return statuses.map((status): DocumentChange => {
    const same = wanted.filter((addition) => addition.status === status);
    const description = [...new Set(same.map((addition) => addition.description))].join(' ');
    const headers = Object.fromEntries(same.flatMap((addition) => Object.entries(addition.headers ?? {})));
    const content = Object.fromEntries(
      same.flatMap((addition) => Object.entries(toContent(addition, where))),
    );
    const response: JsonObject = {
      description,
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...(Object.keys(content).length === 0 ? {} : { content }),
    };
    return {
      pointer: appendPointer(operation.pointer, 'responses'),
      description: `${status}: ${description}`,
      change: { kind: 'update', value: { [String(status)]: response } },
    };
  });
}
