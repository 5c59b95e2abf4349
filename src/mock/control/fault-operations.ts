import { faultIdForm } from '../faults/fault.ts';
import {
  jsonBody,
  jsonContent,
  listOf,
  ok,
  type OperationsAt,
  pathParameter,
  record,
  ref,
  refuse,
} from './operation.ts';

const idParameter = pathParameter('id', 'The id of the rule.', {
  type: 'string',
  pattern: faultIdForm.source,
});

/** The operations on fault rules. */
export const faultOperations: OperationsAt<'/faults'> = {
  listFaults: {
    summary: 'The fault rules',
    responses: {
      '200': jsonContent(
        'The rules; of several that are for a request, the first one counts.',
        record({ faults: listOf('ActiveFaultRule') }),
      ),
    },
    handle: (_request, { mock }) => ok({ faults: mock.faults.list() }),
  },
  createFault: {
    summary: 'Add a rule after the others, or replace the one with its id',
    requestBody: jsonBody('The rule.', ref('FaultRule')),
    responses: {
      '201': {
        ...jsonContent('The rule in force.', ref('ActiveFaultRule')),
        headers: { Location: { description: 'The path of the rule.', schema: { type: 'string' } } },
      },
    },
    refuses: [422],
    handle({ body }, { mock }) {
      const rule = mock.faults.put(body);
      return { status: 201, body: rule, location: `/faults/${encodeURIComponent(rule.id)}` };
    },
  },
  clearFaults: {
    summary: 'Remove all rules',
    responses: { '204': { description: 'There are no rules any more.' } },
    handle: (_request, { mock }) => mock.faults.clear(),
  },
  putFault: {
    summary: 'Replace the rule with this id, or add it',
    parameters: [idParameter],
    requestBody: jsonBody('The rule; of its ids, the one in the path counts.', ref('FaultRule')),
    responses: { '200': jsonContent('The rule in force.', ref('ActiveFaultRule')) },
    refuses: [422],
    handle: ({ body, parameters: { id } }, { mock }) => ok(mock.faults.put({ ...body, id })),
  },
  deleteFault: {
    summary: 'Remove a rule',
    parameters: [idParameter],
    responses: { '204': { description: 'There is no such rule any more.' } },
    refuses: [404],
    handle: ({ parameters: { id } }, { mock }) =>
      mock.faults.delete(id) ? undefined : refuse(404, `There is no rule ${JSON.stringify(id)}.`),
  },
};
