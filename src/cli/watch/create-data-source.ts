import { fileURLToPath } from 'node:url';
import { toSourceUrl } from '../../document/to-source-url.ts';
import type { Mock } from '../../mock/mock.ts';
import { readData } from '../../mock/state/read-data.ts';
import { describeData } from '../describe-data.ts';
import type { WatchedSource } from './watched-source.ts';

/** Makes the data that a mock starts from something to watch. */
export function createDataSource(input: { readonly mock: Mock; readonly data: string }): WatchedSource {
  const { mock, data } = input;
  const url = toSourceUrl(data);
  const files = url.protocol === 'file:' ? [fileURLToPath(url)] : [];
  return {
    files: () => files,
    async takeUp() {
      const report = await mock.change({ data: await readData(data) });
      return describeData(report.data);
    },
  };
}
