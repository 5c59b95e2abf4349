import type { Operation } from '../../contract/operation.ts';
import { toParameterSource } from '../../contract/parameter-source.ts';
import type { ValidRequest } from '../act/act.ts';
import type { ControlRequest } from './control-request.ts';
import { toPlainNumbers } from './to-plain-numbers.ts';

/** Reads the parameters and the body of a request to the control interface. */
export function readControlRequest(operation: Operation, request: ValidRequest): ControlRequest {
  const { head, parameters, content } = request;
  const source = toParameterSource({
    target: head.target,
    path: parameters,
    header: (name) => head.header(name),
  });
  const values = new Map(operation.parameters.map(({ name, read }) => [name, read(source)[0]]));
  return {
    text(name) {
      const value = values.get(name);
      return typeof value === 'string' ? value : undefined;
    },
    number(name) {
      const value = values.get(name);
      const plain = value === undefined ? undefined : toPlainNumbers(value);
      return typeof plain === 'number' ? plain : undefined;
    },
    body: content.kind === 'value' ? content.value : undefined,
  };
}
