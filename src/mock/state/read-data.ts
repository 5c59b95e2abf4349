import { ClocheError } from '../../errors/cloche-error.ts';
import { parseData } from './parse-data.ts';
import type { GivenRows } from './to-state-rows.ts';

/**
 * Reads a file with data to start from: JSON, YAML or NDJSON, see parseData.
 *
 * @param source - a path, or an http, https or file URL
 * @throws ClocheError DATA_INVALID where it cannot be read, or has another shape
 *
 * @example
 * const mock = await createMock('orders.yaml', { data: await readData('orders.ndjson') });
 */
export async function readData(source: string): Promise<GivenRows> {
  // Node's, which a mock in a browser does without.
  const { readSource } = await import('../../document/read-source.ts');
  const { nameSource } = await import('../../document/name-source.ts');
  const { toSourceUrl } = await import('../../document/to-source-url.ts');
  const url = toSourceUrl(source);
  const file = nameSource({ source, base: url, url });
  try {
    const { text } = await readSource(url, file);
    return await parseData({ file, text });
  } catch (error) {
    if (error instanceof ClocheError && error.code !== 'DATA_INVALID') {
      const { reason, remedy } = error;
      throw new ClocheError('DATA_INVALID', {
        attempt: 'read the data of',
        subject: file,
        reason,
        remedy,
        cause: error,
      });
    }
    throw error;
  }
}
