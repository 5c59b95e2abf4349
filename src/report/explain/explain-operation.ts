import type { Contract } from '../../contract/contract.ts';
import type { Operation } from '../../contract/operation.ts';
import { statusName } from '../../contract/status-name.ts';
import { explainPlace } from './explain-place.ts';
import type { ExplainedOperation } from './explanation.ts';

function explainKind({
  kind,
}: Operation): Pick<ExplainedOperation, 'kind' | 'evidence' | 'collection' | 'key'> {
  if (kind.kind === 'sample') {
    return { kind: 'sample', evidence: kind.evidence };
  }
  const { key, collection } = kind;
  const property = key.kind === 'none' ? {} : { property: key.property };
  return { kind: 'create', evidence: key.evidence, collection, key: { from: key.kind, ...property } };
}

/** What a document says of an operation. */
export function explainOperation(operation: Operation, contract: Contract): ExplainedOperation {
  const { id, method, path, pointer, parameters, requestBody, responses, security } = operation;
  return {
    id,
    method,
    path: path.template,
    place: explainPlace(pointer, contract),
    ...explainKind(operation),
    requestBody:
      requestBody === undefined
        ? null
        : { required: requestBody.required, mediaTypes: requestBody.media.map(({ range }) => range) },
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      in: parameter.in,
      required: parameter.required,
    })),
    security: security.map((schemes) => schemes.map(({ name, kind }) => ({ name, kind }))),
    responses: responses.map(({ status, media, description }) => ({
      status: statusName(status),
      mediaTypes: media.map(({ range }) => range),
      description,
    })),
  };
}
