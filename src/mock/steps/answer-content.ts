import { parseQuery, type QueryMember } from '../../contract/parameters/parse-query.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { MockAnswer } from './mock-answer.ts';
import { refuseCredentials } from './refuse-credentials.ts';
import type { RequestContent } from './request-head.ts';
import type { Admitted } from './responder.ts';

const noMembers: readonly QueryMember[] = [];
const absent = { kind: 'absent' } as const;

function findParameterProblem({ head, operation, parameters }: Admitted): string | undefined {
  const { checkParameters, readsQuery } = operation;
  if (checkParameters.length === 0) {
    return undefined;
  }
  const source = {
    path: parameters,
    query: readsQuery ? parseQuery(head.target) : noMembers,
    header: (name: string) => head.header(name),
  };
  for (const check of checkParameters) {
    const problem = check(source);
    if (problem !== undefined) {
      return problem.reason;
    }
  }
  return undefined;
}

/**
 * The steps that need the content of a request: read it, validate it and the parameters, authenticate where
 * that comes last, and act.
 */
export function answerContent(admitted: Admitted, content: RequestContent): MaybePromise<MockAnswer> {
  const { head, path, operation } = admitted;
  const { readContent, checkBody, authenticate, authenticatesFirst, refuse } = operation;
  const parameterProblem = findParameterProblem(admitted);
  if (parameterProblem !== undefined) {
    return refuse({
      condition: 'invalid-parameter',
      message: `The request is not valid: ${parameterProblem}.`,
    });
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
  const credentials = authenticatesFirst ? undefined : authenticate?.(head);
  return credentials === undefined
    ? operation.act({ head, path, content: reading })
    : refuseCredentials(refuse, credentials);
}
