import { ClocheError } from '../../errors/cloche-error.ts';
import { closestWord } from '../../errors/suggest.ts';
import { indentJson, stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type ResetPart, resetParts } from '../../mock/message.ts';
import { readData } from '../../mock/state/data-file.ts';
import {
  type BadRow,
  DataError,
  type Imported,
  placeOfRow,
  type StatePage,
  type StateResource,
  type StateRows,
} from '../../mock/state/rows.ts';
import type { CollectionCount } from '../../mock/store/store.ts';
import { createFileSink } from '../file-sink.ts';
import {
  type Action,
  type ActionResult,
  ControlRefusal,
  type MockClient,
  readJsonArgument,
} from './client.ts';

/** A number of resources in words. */
export function countResources(count: number): string {
  return count === 1 ? '1 resource' : `${count} resources`;
}

/** How much each of some holds, a line each, the numbers below each other. */
function renderCounts(counts: readonly CollectionCount[]): readonly string[] {
  const names = Math.max(0, ...counts.map(({ name }) => name.length));
  const numbers = Math.max(0, ...counts.map(({ count }) => String(count).length));
  return counts.map(
    ({ name, count }) =>
      `${name.padEnd(names)}  ${' '.repeat(numbers - String(count).length)}${countResources(count)}`,
  );
}

function toPart(word: string): ResetPart {
  const part = resetParts.find((each) => each === word);
  if (part !== undefined) return part;
  const near = closestWord(word, resetParts);
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'read the option',
    subject: `--only ${word}`,
    reason: `there is no such part: there are ${resetParts.join(', ')}`,
    remedy: near === undefined ? 'Give one of them' : `Perhaps "${near}" was meant`,
  });
}

/** `cloche reset` */
export const resetMock: Action = {
  async act(client, { text }) {
    const only = text('only');
    const parts = only?.split(',').map((word) => toPart(word.trim()));
    await client.call({
      method: 'POST',
      path: '/reset',
      ...(parts === undefined ? {} : { body: { parts } }),
    });
    return { value: undefined, lines: [`As at the start: ${parts?.join(', ') ?? 'everything'}.`] };
  },
};

/** `cloche snapshot delete` */
export const deleteSnapshot: Action = {
  options: { name: { describe: 'What it is called' } },
  async act(client, { required }) {
    const name = required('name');
    await client.call({ method: 'DELETE', path: `/snapshots/${encodeURIComponent(name)}` });
    return { value: undefined, lines: [`The snapshot "${name}" is forgotten.`] };
  },
};

/** `cloche snapshot list` */
export const listSnapshots: Action = {
  async act(client) {
    const value = await client.call({ method: 'GET', path: '/snapshots' });
    // `as`: the document of the control interface says so.
    const { snapshots } = value as unknown as { readonly snapshots: readonly CollectionCount[] };
    return {
      value,
      lines: renderCounts(snapshots),
      notes: snapshots.length === 0 ? ['There are no snapshots; cloche snapshot save NAME keeps one.'] : [],
    };
  },
};

/** `cloche snapshot restore` */
export const restoreSnapshot: Action = {
  options: { name: { describe: 'What it is called' } },
  async act(client, { required }) {
    const name = required('name');
    await client.call({ method: 'POST', path: `/snapshots/${encodeURIComponent(name)}/restore` });
    return { value: undefined, lines: [`The snapshot "${name}" is the state now.`] };
  },
};

/** `cloche snapshot save` */
export const saveSnapshot: Action = {
  options: { name: { describe: 'What it is called' } },
  async act(client, { required }) {
    const name = required('name');
    await client.call({ method: 'PUT', path: `/snapshots/${encodeURIComponent(name)}` });
    return { value: undefined, lines: [`The snapshot "${name}" is kept.`] };
  },
};

/**
 * Checks the name of a collection.
 *
 * @throws ClocheError OPTION_INVALID where it is no path
 */
function checkCollection(collection: string): string {
  if (collection.startsWith('/')) return collection;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'read the collection',
    subject: collection,
    reason: 'a collection is named by its path, which begins with a slash',
    remedy:
      'cloche state names the collections that there are, and cloche state --help what can be done with them',
  });
}

/** `cloche state delete` */
export const deleteResource: Action = {
  options: {
    collection: { describe: 'The path of its collection, /shops/7/orders' },
    key: { describe: 'What it is kept under' },
  },
  async act(client, { required }) {
    const collection = checkCollection(required('collection'));
    const key = required('key');
    await client.call({ method: 'DELETE', path: '/state/resource', query: { collection, key } });
    return { value: undefined, lines: [`${collection} ${key} is forgotten.`] };
  },
};

/** `cloche state export` */
export const exportState: Action = {
  options: {
    output: { alias: 'o', type: 'string', requiresArg: true, describe: 'Write it into this file' },
  },
  async act(client, { text }) {
    const output = text('output');
    const value = (await client.call({ method: 'GET', path: '/state/export' })) ?? {};
    if (output === undefined) return { value, lines: [indentJson(value)] };
    const sink = createFileSink(output, 'the state');
    sink.write(`${indentJson(value)}\n`);
    const failure = sink.close();
    if (failure !== undefined) throw failure;
    // `as`: the document of the control interface says so.
    const rows = value as unknown as StateRows;
    const count = Object.values(rows).reduce((sum, list) => sum + list.length, 0);
    return { value, lines: [`${countResources(count)} written to ${output}.`] };
  },
};

/** `cloche state get` */
export const getResource: Action = {
  options: {
    collection: { describe: 'The path of its collection, /shops/7/orders' },
    key: { describe: 'What it is kept under' },
  },
  async act(client, { required }) {
    const value = await client.call({
      method: 'GET',
      path: '/state/resource',
      query: { collection: checkCollection(required('collection')), key: required('key') },
    });
    // `as`: the document of the control interface says so.
    const resource = value as unknown as StateResource;
    return { value, lines: [indentJson(resource.value)] };
  },
};

/** A bare list is for the one collection that there is. */
async function nameRows(client: MockClient, rows: JsonValue, file: string): Promise<JsonValue> {
  if (!Array.isArray(rows)) return rows;
  const value = await client.call({ method: 'GET', path: '/state' });
  // `as`: the document of the control interface says so.
  const { collections } = value as unknown as { readonly collections: readonly CollectionCount[] };
  const [only, ...others] = collections;
  if (only === undefined || others.length > 0) {
    throw new ClocheError('DATA_INVALID', {
      attempt: 'import',
      subject: file,
      reason: `it is a list of rows, and the mock has ${collections.length} collections`,
      remedy: 'Give rows by the path of their collection, { "/orders": [ … ] }',
    });
  }
  return { [only.name]: rows };
}

/** The mock names rows by their numbers; where they stand in the file, only who read it knows. */
function withPlaces(rows: readonly BadRow[], body: JsonValue): readonly BadRow[] {
  return rows.map((row) => {
    const list = isJsonObject(body) ? body[row.collection] : undefined;
    return { ...row, place: Array.isArray(list) ? placeOfRow(list[row.index]) : undefined };
  });
}

/** `cloche state import` */
export const importState: Action = {
  options: {
    file: { describe: 'What export gave, or a data file: JSON, YAML or NDJSON; - for standard input' },
    merge: { type: 'boolean', describe: 'Keep what is there, but for what has the same key' },
  },
  async act(client, { required, flag }) {
    const file = required('file');
    // `as`: rows are made of JSON's own values.
    const read = file === '-' ? await readJsonArgument(file) : ((await readData(file)) as JsonValue);
    const body = await nameRows(client, read, file);
    const mode = flag('merge') ? 'merge' : 'replace';
    const value = await client
      .call({ method: 'POST', path: '/state/import', query: { mode }, body })
      .catch((error: unknown) => {
        throw error instanceof ControlRefusal && error.rows.length > 0
          ? new DataError({ subject: file, rows: withPlaces(error.rows, body) })
          : error;
      });
    // `as`: the document of the control interface says so.
    const { added, replaced } = value as unknown as Imported & JsonObject;
    return {
      value,
      lines: [
        `${countResources(added + replaced)} taken in${replaced > 0 ? `, ${replaced} of them in place of others` : ''}.`,
      ],
    };
  },
};

const usualLimit = 100;

async function listCollections(client: MockClient): Promise<ActionResult> {
  const value = await client.call({ method: 'GET', path: '/state' });
  // `as`: the document of the control interface says so.
  const { collections } = value as unknown as { readonly collections: readonly CollectionCount[] };
  return {
    value,
    lines: renderCounts(collections),
    notes: collections.length === 0 ? ['There are no collections: nothing creates anything.'] : [],
  };
}

/** `cloche state list` */
export const listState: Action = {
  options: {
    collection: { describe: 'The path of a collection, /shops/7/orders' },
    search: { type: 'string', requiresArg: true, describe: 'Resources that hold this text, in any case' },
    offset: { requiresArg: true, describe: 'Pass over so many' },
    limit: { requiresArg: true, describe: 'So many at most', defaultDescription: String(usualLimit) },
  },
  async act(client, { text, whole }) {
    const collection = text('collection');
    if (collection === undefined) return listCollections(client);
    const value = await client.call({
      method: 'GET',
      path: '/state/resources',
      query: {
        collection: checkCollection(collection),
        search: text('search'),
        offset: whole('offset'),
        limit: whole('limit') ?? usualLimit,
      },
    });
    // `as`: the document of the control interface says so.
    const { total, resources } = value as unknown as StatePage;
    const isAll = resources.length === total;
    return {
      value,
      lines: resources.map((resource) => stringifyJson(resource.value)),
      notes: isAll && total > 0 ? [] : [`${resources.length} of ${countResources(total)} shown.`],
    };
  },
};

/** `cloche state put` */
export const putResource: Action = {
  options: {
    collection: { describe: 'The path of its collection, /shops/7/orders' },
    resource: { describe: 'Its JSON, or a file that holds it, or - for standard input' },
  },
  async act(client, { required }) {
    const collection = checkCollection(required('collection'));
    const value = await client.call({
      method: 'PUT',
      path: '/state/resources',
      query: { collection },
      body: await readJsonArgument(required('resource')),
    });
    // `as`: the document of the control interface says so.
    const { key } = value as unknown as StateResource;
    return { value, lines: [`${collection} ${key} is kept.`] };
  },
};
