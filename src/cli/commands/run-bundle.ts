import { loadContract } from '../../contract/load.ts';
import { toBundle } from '../../document/bundle.ts';
import { indentJson } from '../../json/print.ts';
import { createArgumentReader, refuseUserinfo } from '../arguments.ts';
import { createFileSink } from '../file-sink.ts';
import { printJson } from '../terminal.ts';

/**
 * Runs `cloche bundle`: writes a document and what it refers to as one JSON file.
 *
 * @throws ClocheError for a document that cannot be used, and for a file that cannot be written; what was in it stays
 */
export async function runBundle(input: Readonly<Record<string, unknown>>): Promise<void> {
  const { text, flag } = createArgumentReader(input);
  const document = text('document');
  const output = text('output');
  refuseUserinfo(document ?? '', {
    what: 'the document',
    remedy: 'Leave them out, and give a copy of the document as a file',
  });
  const { root } = await loadContract(document, { followReferences: flag('allow-references') });
  const bundle = toBundle(root);
  if (output === undefined) {
    printJson(bundle);
    return;
  }
  const sink = createFileSink(output, 'the bundle');
  sink.write(`${indentJson(bundle)}\n`);
  const failure = sink.close();
  if (failure !== undefined) throw failure;
}
