import type { Mock } from '../../mock/mock.ts';
import type { FaultArguments } from '../mock/fault-arguments.ts';
import type { OpenContract } from '../policy/open-contract.ts';
import { printLines } from '../terminal.ts';
import { createContractSource } from './create-contract-source.ts';
import { createDataSource } from './create-data-source.ts';
import { createFaultSource } from './create-fault-source.ts';
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
  /** What makes answers go wrong from the start; nothing where left out. */
  readonly faults?: FaultArguments;
  readonly since: number;
}): () => void {
  const { mock, data, faults, since } = input;
  return watchSources({
    // What data is depends on the contract, which comes first, and so do the operations that rules name.
    sources: [
      createContractSource(input),
      ...(data === undefined ? [] : [createDataSource({ mock, data })]),
      ...(faults !== undefined && typeof faults.faults === 'string'
        ? [createFaultSource({ mock, file: faults.faults, given: faults })]
        : []),
    ],
    since,
    tell({ lines, all }) {
      const [first = '', ...rest] = lines;
      const time = new Date().toTimeString().slice(0, 8);
      printLines(process.stderr, [`${time} ${first}`, ...rest]);
      mock.notices = all;
    },
  });
}
