import { toBundle } from '../../document/bundle.ts';
import { indentJson } from '../../json/print.ts';
import { readArguments, refuseUserinfo } from '../arguments.ts';
import { openDocument } from '../contract.ts';
import { writeWhole } from '../file-sink.ts';
import type { ArgumentsOf, Given } from '../../config/command-options.ts';
import { printJson } from '../terminal.ts';
import type { bundleCommand } from './bundle.ts';

/**
 * Runs `cloche bundle`: writes a document and the files that it refers to as one JSON file.
 *
 * @throws ClocheError for a document or a file that cannot be used; the content of the file then stays
 */
export async function runBundle(given: Given<ArgumentsOf<typeof bundleCommand>>): Promise<void> {
  const { document, output, ...options } = readArguments(given);
  refuseUserinfo('the document', document);
  const { root } = await openDocument(document, options);
  const bundle = toBundle(root);
  if (output === undefined) printJson(bundle);
  else writeWhole(output, 'the bundle', `${indentJson(bundle)}\n`);
}
