import type { JsonObject } from '../../json/value.ts';
import type { GivenRows } from '../state/rows.ts';
import type { ParametersOf } from './calls.ts';
import { type ControlContext, type ControlResult, ok, type OperationsAt, refuse } from './operation.ts';

/** The operations on the state. */
export const stateOperations: OperationsAt<'/state' | '/snapshots' | '/reset'> = {
  getState: async (_request, { mock }) => ok({ collections: await mock.state.collections() }),
  listResources: async ({ parameters }, { mock }) => {
    const { collection, search = '', offset = 0, limit = 100 } = parameters;
    return ok(await mock.state.list(collection, { search, offset, limit }));
  },
  putResource: async ({ body, parameters: { collection } }, { mock }) =>
    // `as`: the document accepts only objects.
    ok(await mock.state.put(collection, body as JsonObject)),
  getResource: async ({ parameters }, { mock }) => {
    const found = await mock.state.get(parameters.collection, parameters.key);
    return found === undefined ? noResource(parameters, mock, 'get') : ok(found);
  },
  deleteResource: async ({ parameters }, { mock }) => {
    const isDeleted = await mock.state.delete(parameters.collection, parameters.key);
    return isDeleted ? undefined : noResource(parameters, mock, 'delete');
  },
  exportState: async (_request, { mock }) => ok(await mock.state.export()),
  importState: async ({ body, parameters: { mode } }, { mock }) => {
    // `as`: the document accepts nothing else.
    const rows = Object.entries(body as GivenRows);
    // A collection without rows may belong to another contract: it has nothing that could not fit.
    const filled = Object.fromEntries(rows.filter(([, each]) => !Array.isArray(each) || each.length > 0));
    return ok(await mock.state.import(filled, mode));
  },
  listSnapshots: async (_request, { mock }) => ok({ snapshots: await mock.state.snapshots() }),
  putSnapshot: ({ parameters: { name } }, { mock }) => mock.state.save(name),
  deleteSnapshot: async ({ parameters: { name } }, { mock }) =>
    (await mock.state.forget(name)) ? undefined : noSnapshot(name),
  restoreSnapshot: async ({ parameters: { name } }, { mock }) =>
    (await mock.state.restore(name)) ? undefined : noSnapshot(name),
  reset: ({ body }, { mock }) => mock.reset(body?.parts),
};

async function noResource(
  { collection, key }: ParametersOf<'getResource'>,
  { state }: ControlContext['mock'],
  verb: 'get' | 'delete',
): Promise<ControlResult<never>> {
  if (key !== undefined) return refuse(404, `There is no resource ${key} in ${collection}.`);
  const found = (await state.collections()).find(({ name }) => name === collection);
  if (found?.kind !== 'collection') return refuse(404, `There is nothing in ${collection}.`);
  const property = found.key === null ? '' : `, its ${JSON.stringify(found.key)}`;
  const need = `A key is needed to tell which resource of ${collection} is meant${property}`;
  return refuse(404, `${need}: cloche state ${verb} ${collection} KEY.`);
}

function noSnapshot(name: string): ControlResult<never> {
  return refuse(404, `There is no snapshot ${JSON.stringify(name)}.`);
}
