import type { Mock } from '../../mock/mock.ts';
import type { OpenContract } from '../policy/open-contract.ts';
import { createContractSource } from './create-contract-source.ts';
import { createDataSource } from './create-data-source.ts';
import { watchSources } from './watch-sources.ts';

/**
 * Watches the files that a mock was made of, and says on stderr what a change of them brings.
 *
 * @param input.since - when reading them began, in milliseconds since 1970
 * @returns a function that ends it
 */
export function watchMock(input: {
  readonly mock: Mock;
  readonly open: (onRead: (url: URL) => void) => Promise<Pick<OpenContract, 'contract' | 'given'>>;
  readonly texts: readonly URL[];
  readonly policy: string | undefined;
  /** The data to start from, if it comes from somewhere. */
  readonly data: string | undefined;
  readonly since: number;
}): () => void {
  const { mock, data, since } = input;
  return watchSources({
    // What data is depends on the contract, which comes first.
    sources: [createContractSource(input), ...(data === undefined ? [] : [createDataSource({ mock, data })])],
    since,
    tell({ lines, all }) {
      const [first = '', ...rest] = lines;
      const time = new Date().toTimeString().slice(0, 8);
      process.stderr.write([`${time} ${first}`, ...rest].map((line) => `${line}\n`).join(''));
      mock.notices = all;
    },
  });
}
