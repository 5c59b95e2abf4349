import { existsSync } from 'node:fs';
import type { ArgumentsOf, Given } from '../../config/command-options.ts';
import { schemaPathFor } from '../../document/settings-file.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { parseServiceUrl, readArguments, refuseUserinfo } from '../arguments.ts';
import { openDocument } from '../contract.ts';
import { writeWhole } from '../file-sink.ts';
import { printLines } from '../terminal.ts';
import { lookAtService } from './init/look-at-service.ts';
import { renderConfiguration } from './init/render-configuration.ts';
import type { initCommand } from './init.ts';

/**
 * Runs `cloche init`: writes a configuration for a document, and for the service at `--url`.
 *
 * @throws ClocheError for a document or a URL that cannot be used, or a file that exists
 */
export async function runInit(given: Given<ArgumentsOf<typeof initCommand>>): Promise<void> {
  const input = readArguments(given);
  const { document, output = 'cloche.yaml', force } = input;
  refuseUserinfo('the document', document);
  if (!/\.ya?ml$/iu.test(output)) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'write the configuration',
      subject: output,
      reason: 'its ending is not that of YAML',
      remedy: 'End it with .yaml, as in cloche.yaml',
    });
  }
  if (existsSync(output) && !force) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'write the configuration',
      subject: output,
      reason: 'the file exists already',
      remedy: 'Give --force to replace it, or another file with --output',
    });
  }
  const contract = await openDocument(document, input);
  const wanted = input.url === undefined ? undefined : parseServiceUrl(input.url);
  const service = wanted === undefined ? undefined : await lookAtService(wanted, contract);
  const { text, variables } = renderConfiguration(contract, {
    document,
    output,
    schema: schemaPathFor('config', output),
    url: service?.url,
  });
  writeWhole(output, 'the configuration', text);
  printLines(process.stdout, [
    `Written to ${output}.`,
    ...(service === undefined ? [] : [service.found]),
    ...(variables.length === 0 ? [] : [`Set ${variables.join(', ')} in the environment.`]),
    'Next:',
    '  cloche config        what the commands take from it',
    '  cloche test --list   the operations that would be tested',
    ...(service === undefined ? [] : ['  cloche test --smoke  one valid request of each operation']),
    '  cloche test          the whole run',
  ]);
}
