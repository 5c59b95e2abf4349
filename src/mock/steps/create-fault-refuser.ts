import type { Contract } from '../../contract/contract.ts';
import { findErrorShape } from '../refusals/error-shape.ts';
import type { ConnectionFault } from './connection-fault.ts';
import type { MockAnswer } from './mock-answer.ts';

const outcomes: Readonly<Record<ConnectionFault, readonly [status: number, message: string]>> = {
  'not-http': [400, 'This is not HTTP as RFC 9112 has it'],
  'invalid-host': [400, 'A request of HTTP/1.1 has one Host header, which names a host (RFC 9112 §3.2)'],
  'request-timeout': [408, 'The request did not come to its end in time'],
  'chunk-extensions-too-large': [413, 'The chunk extensions of the request are too large'],
  'header-fields-too-large': [431, 'The header fields of the request are too large'],
  'store-unavailable': [503, 'The mock cannot reach the store that its state is kept in'],
  'internal-error': [500, 'The mock itself is wrong; its output says how'],
};

/** Makes the answer to what the steps cannot take. `detail` says more about it, and holds no secret. */
export type RefuseFault = (fault: ConnectionFault, detail?: string) => MockAnswer;

/** Prepares the answers to what is no request: errors as the document has them, marked as undeclared. */
export function createFaultRefuser(contract: Pick<Contract, 'operations'>): RefuseFault {
  const { headers, body } = findErrorShape(contract.operations);
  const shared = [...headers, 'Cloche-Undeclared'];
  const furtherFields: Partial<Record<ConnectionFault, readonly string[]>> = {
    'store-unavailable': ['Retry-After', '1'],
  };
  return (fault, detail) => {
    const [status, sentence] = outcomes[fault];
    const message = detail === undefined ? `${sentence}.` : `${sentence}: ${detail}.`;
    return {
      status,
      headers: [...shared, fault, ...(furtherFields[fault] ?? [])],
      body: body?.({ status, code: status, condition: fault, message }) ?? '',
      note: { condition: fault, undeclared: fault, message },
    };
  };
}
