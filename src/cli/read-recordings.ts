import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { ClocheError } from '../errors/cloche-error.ts';
import { describeReadFailure } from '../errors/describe-read-failure.ts';
import type { HarExchange } from '../proxy/har/har-exchange.ts';
import { readHar } from '../proxy/har/read-har.ts';

/**
 * Reads recordings, one after the other.
 *
 * @throws ClocheError TRAFFIC_UNREADABLE for a file that cannot be read, or is no HAR
 */
export async function readRecordings(files: readonly string[]): Promise<readonly HarExchange[]> {
  const names = files.map((file) => basename(file));
  const entries: HarExchange[] = [];
  for (const [index, file] of files.entries()) {
    const bytes = await readFile(file).catch((cause: unknown) => {
      throw new ClocheError('TRAFFIC_UNREADABLE', {
        attempt: 'read the traffic',
        subject: file,
        reason: describeReadFailure(cause),
        remedy: 'Name a HAR 1.2 file',
        cause,
      });
    });
    // Two files of one name are told apart by their folders.
    const name = names[index] ?? file;
    const isAlone = names.filter((other) => other === name).length === 1;
    entries.push(...readHar(bytes, isAlone ? name : file));
  }
  return entries;
}
