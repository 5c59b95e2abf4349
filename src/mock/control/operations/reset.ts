import type { ControlOperation } from '../control-operation.ts';
import { jsonContent } from '../json-content.ts';
import { type ResetPart, resetParts } from '../reset-part.ts';

/** `POST /reset`: brings the mock back to how it was at the start. */
export const reset: ControlOperation = {
  path: '/reset',
  method: 'post',
  declares: {
    operationId: 'reset',
    summary: 'Bring everything, or some parts, back to how it was at the start; snapshots stay',
    requestBody: jsonContent('Which parts; without it, all.', {
      type: 'object',
      additionalProperties: false,
      properties: {
        parts: {
          type: 'array',
          description: 'The state goes back to the data that the mock started from.',
          items: { enum: [...resetParts] },
        },
      },
    }),
    responses: { '204': { description: 'It is as it was.' } },
  },
  act: async (request, { mock }) => {
    // `as`: the document lets nothing else pass.
    const { parts } = (request.body ?? {}) as { readonly parts?: readonly ResetPart[] };
    await mock.reset(parts);
    return { status: 204 };
  },
};
