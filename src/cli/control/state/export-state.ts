import { indentJson } from '../../../json/indent-json.ts';
import type { StateRows } from '../../../mock/state/mock-state.ts';
import { createFileSink } from '../../reports/create-file-sink.ts';
import type { Action } from '../action.ts';
import { countResources } from '../count-resources.ts';

/** `cloche state export` */
export const exportState: Action = {
  options: {
    output: { alias: 'o', type: 'string', requiresArg: true, describe: 'Write it into this file' },
  },
  async act(client, { text }) {
    const output = text('output');
    const value = (await client.call({ method: 'GET', path: '/state/export' })) ?? {};
    if (output === undefined) {
      return { value, lines: [indentJson(value)] };
    }
    const sink = createFileSink(output, 'the state');
    sink.write(`${indentJson(value)}\n`);
    const failure = sink.close();
    if (failure !== undefined) {
      throw failure;
    }
    // `as`: the document of the control interface says so.
    const rows = value as unknown as StateRows;
    const count = Object.values(rows).reduce((sum, list) => sum + list.length, 0);
    return { value, lines: [`${countResources(count)} written to ${output}.`] };
  },
};
