import type { ControlOperation } from '../control-operation.ts';
import { jsonContent } from '../json-content.ts';

/** `GET /openapi.json`: the document of the control interface. */
export const getDocument: ControlOperation = {
  path: '/openapi.json',
  method: 'get',
  declares: {
    operationId: 'getDocument',
    summary: 'This document',
    responses: {
      '200': jsonContent('The document.', { type: 'object', required: ['openapi', 'info', 'paths'] }),
    },
  },
  act: (_request, { mock, facts: { hasTokens }, describe }) => ({
    status: 200,
    body: describe({ operations: mock.contract.operations.map(({ id }) => id), hasTokens }),
  }),
};
