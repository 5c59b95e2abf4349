import type { Contract } from '../../contract/contract.ts';
import { findDeclaredResponse } from '../../contract/find-declared-response.ts';
import { findExactResponse } from '../../contract/find-exact-response.ts';
import type { Operation } from '../../contract/operation.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { Addition } from '../declaration.ts';
import type { QuestionId } from '../question-id.ts';
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

/** Some content, of which nothing more is known; where none is declared, none may be what comes (OpenAPI 3.1 §4.8.17). */
const anyContent: JsonObject = { '*/*': {} };

/** An addition, and the question whose answer asks for it. */
interface Asked {
  readonly id: QuestionId;
  /** Whether it would answer another question too, whose answer is not known. */
  readonly isHalf: boolean;
  readonly addition: Addition;
}

interface AskedResponse extends Asked {
  readonly addition: ResponseAddition;
}

const ofCredentials: readonly QuestionId[] = ['missing-credentials', 'invalid-credentials'];

/** Statuses that answer a question as soon as they are declared, so that no other can declare them for its own. */
const speakFor: ReadonlyMap<number, readonly QuestionId[]> = new Map([
  [401, ofCredentials],
  [403, ofCredentials],
  [406, ['accept']],
  [409, ['duplicate-key']],
  [413, ['body-limit']],
  [415, ['unsupported-media-type']],
  [422, ['duplicate-key']],
  [429, ['rate-limit']],
]);

/**
 * Whether another response can be declared without a second meaning. 400 and 422 are also what a body gets that breaks its
 * schema: where the document declares one of them alone, or none, a second would change which of the two that is.
 */
function isClear(operation: Operation, { id, isHalf, addition: { status } }: AskedResponse): boolean {
  if (
    (isHalf && (status === 401 || status === 403)) ||
    status === 400 ||
    (status === 422 && findExactResponse(operation, 400) === undefined)
  ) {
    return false;
  }
  return speakFor.get(status)?.includes(id) ?? true;
}

/** Whether all that is asked to be declared for one status is the same: a response cannot say which is for whom. */
function agree([first, ...others]: readonly AskedResponse[]): boolean {
  return others.every(
    ({ addition: { body, headers } }) =>
      body === first?.addition.body && jsonEqual(headers ?? {}, first.addition.headers ?? {}),
  );
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
    case 'other':
      return anyContent;
  }
}

/**
 * Declares responses that an operation does not declare yet, one change for each status. A status that several answers
 * would have differ, or that would answer another question, is left out.
 */
export function addResponses(
  asked: readonly Asked[],
  where: { readonly contract: Contract; readonly operation: Operation },
): readonly DocumentChange[] {
  const { operation } = where;
  const wanted = asked
    .filter((each): each is AskedResponse => each.addition.kind === 'response')
    .filter(({ addition }) => findExactResponse(operation, addition.status) === undefined);
  const statuses = [...new Set(wanted.map(({ addition }) => addition.status))];
  return statuses.flatMap((status): readonly DocumentChange[] => {
    const all = wanted.filter(({ addition }) => addition.status === status);
    if (!agree(all) || !all.every((each) => isClear(operation, each))) {
      return [];
    }
    const same = all.map(({ addition }) => addition);
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
    return [
      {
        pointer: appendPointer(operation.pointer, 'responses'),
        description: `${status}: ${description}`,
        change: { kind: 'update', value: { [String(status)]: response } },
      },
    ];
  });
}
