import { toPlainNumbers } from '../../json/exact-number.ts';
import type { RequestFilter } from '../log/filter.ts';
import type { LoggedRequest } from '../message.ts';
import { clockOperations } from './clock-operations.ts';
import { createControlDocument } from './document.ts';
import { type ControlOperations, ok, type OperationsAt, refuse } from './operation.ts';
import { policyOperations } from './policy-operations.ts';
import { serviceOperations } from './service-operations.ts';
import { stateOperations } from './state-operations.ts';

const faultOperations: OperationsAt<'/faults'> = {
  listFaults: (_request, { mock }) => ok({ faults: mock.faults.list() }),
  createFault({ body }, { mock }) {
    const rule = mock.faults.put(body);
    return { status: 201, body: rule, location: `/faults/${encodeURIComponent(rule.id)}` };
  },
  clearFaults: (_request, { mock }) => mock.faults.clear(),
  putFault: ({ body, parameters: { id } }, { mock }) => ok(mock.faults.put({ ...body, id })),
  deleteFault: ({ parameters: { id } }, { mock }) =>
    mock.faults.delete(id) ? undefined : refuse(404, `There is no rule ${JSON.stringify(id)}.`),
};

const requestOperations: OperationsAt<'/requests'> = {
  async listRequests({ parameters }, { mock }) {
    const { limit, wait: timeoutMs = 0, times = 1, ...sent } = parameters;
    // `as`: none of them is undefined.
    const filter = sent as RequestFilter;
    const list = (): readonly LoggedRequest[] => mock.requests.list(filter, limit);
    let requests = list();
    if (timeoutMs > 0 && requests.length < times) {
      await mock.requests.waitFor(filter, { times, timeoutMs });
      requests = list();
    }
    const { dropped, first, last } = mock.requests;
    return ok({ requests, dropped, first, last });
  },
  clearRequests: (_request, { mock }) => mock.requests.clear(),
  verifyRequests({ body }, { mock }) {
    const { filter, times } = toPlainNumbers(body);
    const sought = body.filter.body;
    // The body to compare with keeps its digits.
    const exact = sought === undefined ? filter : { ...filter, body: sought };
    return ok(mock.requests.verify(exact, times));
  },
  getRequest({ parameters: { id } }, { mock }) {
    const found = mock.requests.get(Number(id));
    const reason = 'it gave way to newer ones, or there never was one';
    return found ? ok(found) : refuse(404, `There is no request ${id} in the log: ${reason}.`);
  },
};

const callbackOperations: OperationsAt<'/callbacks'> & OperationsAt<'/webhooks'> = {
  listCallbacks: (_request, { mock }) => ok({ callbacks: mock.callbacks.list() }),
  sendWebhook: async ({ parameters: { name }, body }, { mock }) => ok(await mock.callbacks.send(name, body)),
};

/** The operations of the control interface. Its document, `spec/control.openapi.json`, describes each of them. */
export const controlOperations: ControlOperations = {
  getDocument: (_request, { mock, facts: { hasTokens } }) =>
    ok(createControlDocument({ operations: mock.contract.operations.map(({ id }) => id), hasTokens })),
  ...serviceOperations,
  ...stateOperations,
  ...policyOperations,
  ...faultOperations,
  ...requestOperations,
  ...callbackOperations,
  ...clockOperations,
};
