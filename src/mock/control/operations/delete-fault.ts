import type { ControlOperation } from '../control-operation.ts';
import { faultIdParameter } from '../fault-id-parameter.ts';
import { notFound } from '../not-found.ts';

/** `DELETE /faults/{id}`: takes a rule away. */
export const deleteFault: ControlOperation = {
  path: '/faults/{id}',
  method: 'delete',
  declares: {
    operationId: 'deleteFault',
    summary: 'Take a rule away',
    parameters: [faultIdParameter],
    responses: { '204': { description: 'There is no such rule any more.' } },
  },
  refuses: [404],
  act: (request, { mock }) => {
    const id = request.text('id') ?? '';
    return mock.faults.delete(id) ? { status: 204 } : notFound(`There is no rule ${JSON.stringify(id)}.`);
  },
};
