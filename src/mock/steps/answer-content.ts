import { parseQuery, type QueryMember } from '../../contract/parameters/parse-query.ts';
import type { InvalidParameter } from '../../contract/parameters/create-parameter-check.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { explainParameter } from './explain-parameter.ts';
import type { MockAnswer } from './mock-answer.ts';
import { refuseCredentials } from './refuse-credentials.ts';
import type { RequestContent } from './request-head.ts';
import type { Admitted } from './responder.ts';

const noMembers: readonly QueryMember[] = [];
const absent = { kind: 'absent' } as const;

function findParameterProblem({ head, operation, parameters }: Admitted): InvalidParameter | undefined {
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
      return problem;
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
      message: `The request is not valid: ${parameterProblem.reason}.`,
      problems: () => [explainParameter(parameterProblem, operation.parameters)],
    });
  }
  const reading = readContent === undefined ? absent : readContent(head, content);
  if (reading.kind === 'refused') {
    return refuse(reading);
  }
  const bodyProblem =
    reading.kind === 'value' ? checkBody?.(reading.value, reading.exact, reading.media) : undefined;
  if (bodyProblem !== undefined) {
    return refuse({ condition: 'invalid-body', ...bodyProblem });
  }
  const credentials = authenticatesFirst ? undefined : authenticate?.(head);
  const preferred = admitted.interference?.preferred;
  if (credentials === undefined && preferred !== undefined) {
    return preferred;
  }
  return credentials === undefined
    ? operation.act({ head, path, parameters: admitted.parameters, content: reading })
    : refuseCredentials(refuse, credentials);
}
