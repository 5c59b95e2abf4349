import type { Operation } from '../contract/operation.ts';
import type { Parameter } from '../contract/parameter.ts';
import { type PlainBodyResult, plainBody } from './plain-body.ts';
import { type PlainValues, plainValues } from './plain-values.ts';

/** A parameter with the values that anybody would send. */
export interface PlainParameter {
  readonly parameter: Parameter;
  readonly values: PlainValues;
}

/** What the plain requests to an operation are made of. */
export interface PlainRequest {
  readonly body: PlainBodyResult;
  readonly parameters: readonly PlainParameter[];
  /** Why no plain request can be made, if none can. */
  readonly problem: string | undefined;
}

const known = new WeakMap<Operation, PlainRequest>();

function describe(operation: Operation): PlainRequest {
  const found = operation.parameters.map((parameter) => ({
    parameter,
    values: plainValues(parameter.schema),
  }));
  const parameters = found.flatMap(({ parameter, values }) =>
    values === undefined ? [] : [{ parameter, values }],
  );
  const lacking = found.find(({ parameter, values }) => values === undefined && parameter.required);
  const body = plainBody(operation);
  const ofBody =
    body.kind === 'unavailable' && operation.requestBody?.required === true ? body.reason : undefined;
  const ofParameter =
    lacking &&
    `no value was found that the schema of its ${lacking.parameter.in} parameter "${lacking.parameter.name}" allows`;
  return { body, parameters, problem: ofParameter ?? ofBody };
}

/** What the plain requests to an operation are made of; found out once for each operation. */
export function plainRequest(operation: Operation): PlainRequest {
  const request = known.get(operation) ?? describe(operation);
  known.set(operation, request);
  return request;
}
