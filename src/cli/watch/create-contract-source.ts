import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mock } from '../../mock/mock.ts';
import type { OpenContract } from '../policy/open-contract.ts';
import { describeChangeReport } from './describe-change-report.ts';
import { describeContractChange } from './describe-contract-change.ts';
import { describePolicyChange } from './describe-policy-change.ts';
import type { WatchedSource } from './watched-source.ts';

/** Makes the document of a mock, whatever it refers to, and the policy file, something to watch. */
export function createContractSource(input: {
  readonly mock: Mock;
  /** Reads the document and the answers as at the start, and tells of each text before it is read. */
  readonly open: (onRead: (url: URL) => void) => Promise<Pick<OpenContract, 'contract' | 'given'>>;
  /** The texts of the document that were read at the start. */
  readonly texts: readonly URL[];
  /** The policy file, if there is one. */
  readonly policy: string | undefined;
}): WatchedSource {
  const { mock, open } = input;
  const policy = input.policy === undefined ? [] : [resolve(input.policy)];
  let texts = toFiles(input.texts);
  /** Until a policy that changed could be used. */
  let isPolicyNew = false;
  return {
    files: () => [...new Set([...texts, ...policy])],
    async takeUp(changed) {
      isPolicyNew ||= policy.some((file) => changed.includes(file));
      const read: URL[] = [];
      const opened = await open((url) => read.push(url)).catch((error: unknown) => {
        // What it cannot do without by now may be what it lacks.
        texts = [...new Set([...texts, ...toFiles(read)])];
        throw error;
      });
      texts = toFiles(read);
      const { contract: before, policy: answersBefore } = mock;
      const report = await mock.change({
        contract: opened.contract,
        ...(isPolicyNew ? { policy: opened.given, isStart: true } : {}),
      });
      isPolicyNew = false;
      return [
        ...describeContractChange(before, mock.contract),
        ...describePolicyChange(answersBefore, mock.policy),
        ...describeChangeReport(report),
      ];
    },
  };
}

/** Those that are files: what comes over the network is not watched. */
function toFiles(urls: readonly URL[]): readonly string[] {
  return urls.filter(({ protocol }) => protocol === 'file:').map((url) => fileURLToPath(url));
}
