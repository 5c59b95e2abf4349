import type { Operation } from '../../../contract/operation.ts';
import type { ControlOperation } from '../control-operation.ts';
import { jsonContent } from '../json-content.ts';
import { ref } from '../ref.ts';

function describe({ id, method, path, kind }: Operation): object {
  const shared = { id, method, path: path.template, kind: kind.kind };
  return kind.kind === 'create'
    ? {
        ...shared,
        collection: kind.collection,
        key: kind.key.kind === 'none' ? undefined : kind.key.property,
      }
    : shared;
}

/** `GET /service`: what is mocked, and how. */
export const getService: ControlOperation = {
  path: '/service',
  method: 'get',
  declares: {
    operationId: 'getService',
    summary: 'What is mocked, and how',
    responses: { '200': jsonContent('The service.', ref('Service')) },
  },
  act: (_request, { mock: { contract, notices }, facts }) => ({
    status: 200,
    body: {
      title: contract.title,
      version: contract.version,
      source: contract.source,
      cloche: facts.version,
      startedAt: new Date(facts.startedAt).toISOString(),
      store: facts.store,
      operations: contract.operations.map(describe),
      notices: notices,
    },
  }),
};
