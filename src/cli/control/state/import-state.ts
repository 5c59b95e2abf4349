import { ClocheError } from '../../../errors/cloche-error.ts';
import type { JsonObject, JsonValue } from '../../../json/json-value.ts';
import { isJsonObject } from '../../../json/is-json-object.ts';
import { type BadRow, DataError } from '../../../mock/state/data-error.ts';
import type { Imported } from '../../../mock/state/mock-state.ts';
import { placeOfRow } from '../../../mock/state/row-places.ts';
import { readData } from '../../../mock/state/read-data.ts';
import type { CollectionCount } from '../../../mock/store/store.ts';
import type { Action } from '../action.ts';
import { ControlRefusal } from '../control-refusal.ts';
import { countResources } from '../count-resources.ts';
import type { MockClient } from '../mock-client.ts';
import { readJsonArgument } from '../read-json-argument.ts';

/** A bare list is for the one collection that there is. */
async function nameRows(client: MockClient, rows: JsonValue, file: string): Promise<JsonValue> {
  if (!Array.isArray(rows)) {
    return rows;
  }
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
