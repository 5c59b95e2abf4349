import { loadContract } from '../contract/load-contract.ts';
import { toBundle } from '../document/to-bundle.ts';
import { indentJson } from '../json/indent-json.ts';
import { createFileSink } from './reports/create-file-sink.ts';
import { refuseUserinfo } from './refuse-userinfo.ts';
import { printJson } from './terminal.ts';

/** What `cloche bundle` takes. */
export interface BundleArguments {
  readonly document: string | undefined;
  readonly 'allow-references': boolean;
  /** Standard output where there is none. */
  readonly output: string | undefined;
}

/**
 * Runs `cloche bundle`: writes a document and what it refers to as one JSON file.
 *
 * @throws ClocheError for a document that cannot be used, and for a file that cannot be written; what was in it stays
 */
export async function runBundle(input: BundleArguments): Promise<void> {
  refuseUserinfo(input.document ?? '', {
    what: 'the document',
    remedy: 'Leave them out, and give a copy of the document as a file',
  });
  const { root } = await loadContract(input.document, { followReferences: input['allow-references'] });
  const bundle = toBundle(root);
  if (input.output === undefined) {
    printJson(bundle);
    return;
  }
  const sink = createFileSink(input.output, 'the bundle');
  sink.write(`${indentJson(bundle)}\n`);
  const failure = sink.close();
  if (failure !== undefined) {
    throw failure;
  }
}
