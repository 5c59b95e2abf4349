import { countResources } from '../terminal.ts';
import { schemaPathFor } from '../../document/settings-file.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { closestWord } from '../../errors/suggest.ts';
import { indentJson, stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type ResetPart, resetParts } from '../../mock/message.ts';
import { readData } from '../../mock/state/data-file.ts';
import { type BadRow, DataError, placeOfRow } from '../../mock/state/rows.ts';
import type { CollectionCount } from '../../mock/store/store.ts';
import { writeWhole } from '../file-sink.ts';
import type { ArgumentsOf } from '../../config/command-options.ts';
import { type ActionResult, ControlRefusal, type MockClient, readJsonArgument, tell } from './client.ts';
import type { OperationHandler, ActsOf, resetCommand, snapshotGroup, stateGroup } from './commands.ts';
import { invalidOption } from '../process.ts';

/** The action of `cloche reset`. */
export const resetMock: OperationHandler<ArgumentsOf<typeof resetCommand>> = async (client, { only }) => {
  const parts = only?.split(',').map((word) => toPart(word.trim()));
  await client.call('reset', {}, parts === undefined ? {} : { parts });
  return { lines: [`Reset: ${(parts ?? resetParts).join(', ')}.`] };
};

function toPart(word: string): ResetPart {
  const part = resetParts.find((each) => each === word);
  if (part !== undefined) return part;
  const near = closestWord(word, resetParts);
  throw invalidOption(
    `--only ${word}`,
    `there is no such part: there are ${resetParts.join(', ')}`,
    near === undefined ? 'Give one of them' : `Perhaps "${near}" was meant`,
  );
}

/** The actions of `cloche snapshot`. */
export const snapshotActions: ActsOf<typeof snapshotGroup> = {
  async list(client) {
    const { value, shown } = await client.call('listSnapshots');
    const { snapshots } = shown;
    return {
      value,
      lines: renderCounts(snapshots),
      notes: snapshots.length === 0 ? ['There are no snapshots; cloche snapshot save NAME keeps one.'] : [],
    };
  },
  save: (client, { name }) => tell(client.call('putSnapshot', { name }), `The snapshot "${name}" is kept.`),
  restore: (client, { name }) =>
    tell(client.call('restoreSnapshot', { name }), `The snapshot "${name}" is the state now.`),
  delete: (client, { name }) =>
    tell(client.call('deleteSnapshot', { name }), `The snapshot "${name}" is forgotten.`),
};

/** The actions of `cloche state`. */
export const stateActions: ActsOf<typeof stateGroup> = {
  async list(client, { collection, search, offset, limit }) {
    if (collection === undefined) return listCollections(client);
    checkCollection(collection);
    const { value, shown } = await client.call('listResources', { collection, search, offset, limit });
    const { total, resources } = shown;
    const isAll = resources.length === total;
    return {
      value,
      lines: resources.map((resource) => stringifyJson(resource.value)),
      notes: isAll && total > 0 ? [] : [`${resources.length} of ${countResources(total)} shown.`],
    };
  },
  async get(client, { collection, key }) {
    checkCollection(collection);
    const { value, shown } = await client.call('getResource', { collection, key });
    return { value, lines: [indentJson(shown.value)] };
  },
  async put(client, { collection, resource }) {
    checkCollection(collection);
    const body = await readJsonArgument(resource);
    const { value, shown } = await client.call('putResource', { collection }, body);
    return { value, lines: [`${collection} ${shown.key} is kept.`] };
  },
  async delete(client, { collection, key }) {
    checkCollection(collection);
    const name = key === undefined ? collection : `${collection} ${key}`;
    return tell(client.call('deleteResource', { collection, key }), `${name} is forgotten.`);
  },
  async export(client, { output }) {
    const { value = {}, shown } = await client.call('exportState');
    if (output === undefined) return { value, lines: [indentJson(value)] };
    // `as`: an export is an object.
    const file = { $schema: schemaPathFor('data', output), ...(value as JsonObject) };
    writeWhole(output, 'the state', `${indentJson(file)}\n`);
    const count = Object.values(shown).reduce((sum, list) => sum + list.length, 0);
    return { value, lines: [`${countResources(count)} written to ${output}.`] };
  },
  async import(client, { file, merge }) {
    // `as`: rows consist of JSON values.
    const read = file === '-' ? await readJsonArgument(file) : ((await readData(file)) as JsonValue);
    const body = Array.isArray(read) ? { [await findOnlyCollection(client, file)]: read } : read;
    const { value, shown } = await client
      .call('importState', { mode: merge ? 'merge' : 'replace' }, body)
      .catch((error: unknown) => {
        throw error instanceof ControlRefusal && error.rows.length > 0
          ? new DataError({ subject: file, rows: withPlaces(error.rows, body) })
          : error;
      });
    const { added, replaced } = shown;
    const inPlace = replaced > 0 ? `, ${replaced} of them in place of others` : '';
    return { value, lines: [`${countResources(added + replaced)} taken in${inPlace}.`] };
  },
};

async function listCollections(client: MockClient): Promise<ActionResult> {
  const { value, shown } = await client.call('getState');
  const { collections } = shown;
  return {
    value,
    lines: renderCounts(collections).map((line, index) => {
      const { isKept = true } = collections[index] ?? {};
      return isKept ? line : `${line}, answered with samples`;
    }),
    notes: collections.length === 0 ? ['There are no collections: the document has no resources.'] : [],
  };
}

function checkCollection(collection: string): void {
  if (collection.startsWith('/')) return;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'read the collection',
    subject: collection,
    reason: 'a collection is named by its path, which begins with a slash',
    remedy:
      'cloche state names the collections that there are, and cloche state --help what can be done with them',
  });
}

/** Returns the only collection of the mock, for a list of rows without a collection. */
async function findOnlyCollection(client: MockClient, file: string): Promise<string> {
  const { collections } = (await client.call('getState')).shown;
  const [only, ...others] = collections.filter(({ kind, isKept }) => isKept && kind === 'collection');
  if (only !== undefined && others.length === 0) return only.name;
  throw new ClocheError('DATA_INVALID', {
    attempt: 'import',
    subject: file,
    reason: `it is a list of rows, and the mock has ${others.length === 0 ? 'none' : others.length + 1} that requests can fill`,
    remedy: 'Give rows by the path of their collection, { "/orders": [ … ] }',
  });
}

/** Adds the places of rows in the file. The mock names rows only by their numbers. */
function withPlaces(rows: readonly BadRow[], body: JsonValue): readonly BadRow[] {
  return rows.map((row) => {
    const given = isJsonObject(body) ? body[row.collection] : undefined;
    return { ...row, place: placeOfRow(Array.isArray(given) ? given[row.index] : given) };
  });
}

/** Renders the number of resources in each collection, one line each, with aligned numbers. */
function renderCounts(counts: readonly CollectionCount[]): readonly string[] {
  const names = Math.max(0, ...counts.map(({ name }) => name.length));
  const numbers = Math.max(0, ...counts.map(({ count }) => String(count).length));
  return counts.map(
    ({ name, count }) =>
      `${name.padEnd(names)}  ${' '.repeat(numbers - String(count).length)}${countResources(count)}`,
  );
}
