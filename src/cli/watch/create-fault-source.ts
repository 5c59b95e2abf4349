import { resolve } from 'node:path';
import type { Mock } from '../../mock/mock.ts';
import type { FaultArguments } from '../mock/fault-arguments.ts';
import { openFaults } from '../mock/open-faults.ts';
import type { WatchedSource } from './watched-source.ts';

/** Makes the file of the rules by which requests go wrong something to watch. */
export function createFaultSource(input: {
  readonly mock: Mock;
  readonly file: string;
  readonly given: FaultArguments;
}): WatchedSource {
  const { mock, given } = input;
  const files = [resolve(input.file)];
  return {
    files: () => files,
    async takeUp() {
      const { added, changed, removed } = mock.faults.replaceStart(await openFaults(given, mock.contract));
      return [
        ...added.map((id) => `added    fault ${id}`),
        ...changed.map((id) => `changed  fault ${id}`),
        ...removed.map((id) => `removed  fault ${id}`),
      ];
    },
  };
}
