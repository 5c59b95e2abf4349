import { notAsked, unspecified, unknownMethod, unknownPath, unsettled } from '../probing.ts';
import type { ProbeSession, Behaviour, Probed } from '../behaviour.ts';

/** The behaviour `other-operations`: the responses to methods and paths that the document does not declare. */
export const otherOperations: Behaviour<'other-operations'> = {
  id: 'other-operations',
  question: 'What do undeclared methods and paths get?',
  scope: 'service',
  default: { method: 405, path: 404 },
  representatives: [
    { method: 405, path: 404 },
    { method: 404, path: 404 },
    { method: 501, path: 403 },
  ],
  schema: {
    type: 'object',
    required: ['method', 'path'],
    additionalProperties: false,
    properties: {
      method: {
        description: 'The status for an undeclared method on a declared path.',
        anyOf: [{ type: 'integer', minimum: 200, maximum: 499 }, { const: 501 }],
      },
      path: {
        type: 'integer',
        minimum: 200,
        maximum: 499,
        description: 'The status for an undeclared path.',
      },
    },
    examples: [{ method: 405, path: 404 }],
  },
  describe: ({ method, path }) => `${method} for another method, ${path} for another path`,
  documentValue: () => unspecified,
  probe: { mostRequests: 2, needsTaken: false, ask },
};

/** Requests a method and a path that the document does not declare. */
async function ask(probeSession: ProbeSession): Probed<'other-operations'> {
  const request = unknownMethod(probeSession);
  if (request === undefined) return notAsked('its path has every method that changes nothing');
  const { status: method } = await probeSession.send(request);
  const { status: path } = await probeSession.send(unknownPath);
  if (method < 300 || path < 300) {
    const subject = method < 300 ? `${request.method} on its path` : 'a path that is not declared';
    return unsettled(`${subject} is answered ${Math.min(method, path)}, which is no refusal`);
  }
  return { kind: 'answer', answer: { method, path } };
}
