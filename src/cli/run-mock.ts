import type { Contract } from '../contract/contract.ts';
import type { Policy } from '../policy/policy.ts';
import { createLogRenderer } from '../mock/create-log-renderer.ts';
import { createMock } from '../mock/create-mock.ts';
import type { Mock } from '../mock/mock.ts';
import type { RequestLogEntry } from '../mock/request-log-entry.ts';
import { listServerPrefixes } from '../mock/steps/list-server-prefixes.ts';
import { checkNumber } from './check-number.ts';
import { checkText } from './check-text.ts';
import { createLineWriter } from './create-line-writer.ts';
import { describeReach } from './describe-reach.ts';
import type { MockArguments } from './mock-command.ts';
import { describePolicy } from './policy/describe-policy.ts';
import { openContract } from './policy/open-contract.ts';
import { refuseToLockOut } from './policy/refuse-to-lock-out.ts';
import { readTokens } from './read-tokens.ts';
import { refuseUserinfo } from './refuse-userinfo.ts';
import { terminalWidth } from './terminal-width.ts';
import { waitForSignal } from './wait-for-signal.ts';

function describePrefixes(contract: Contract): readonly string[] {
  const prefixes = listServerPrefixes(contract);
  return prefixes.length === 0
    ? []
    : [`Its paths are answered as they are, and with ${prefixes.join(' or ')} before them.`];
}

function describeTokens({ policy, contract }: Mock): readonly string[] {
  return policy['accepted-tokens'] === 'any' &&
    contract.operations.some(({ security }) => security.length > 0)
    ? [
        'Any token is accepted, which a test of this mock would rightly report. Pass --token to accept only that one.',
      ]
    : [];
}

function describeAnswers(given: Partial<Policy>): readonly string[] {
  const lines = describePolicy(given);
  return lines.length === 0
    ? []
    : [
        'Where the document is silent it answers as it was told, besides its defaults:',
        ...lines.map((line) => `  ${line}`),
      ];
}

/**
 * Runs `cloche mock` until it is told to stop; what is in flight by then is finished.
 *
 * @throws ClocheError for a document, a port or a token file that cannot be used
 */
export async function runMock(input: MockArguments): Promise<void> {
  refuseUserinfo(input.document ?? '', {
    what: 'the document',
    remedy: 'Leave them out, and give a copy of the document as a file',
  });
  const port = checkNumber('port', input.port, { from: 0, to: 65_535, whole: true });
  const tokens = await readTokens({ token: input.token, tokenFile: input['token-file'] });
  // A reader of the output that goes away is no reason to stop serving.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const writer = createLineWriter(process.stdout);
  const {
    contract,
    given,
    notices: ofPolicy,
  } = await openContract({
    document: input.document,
    'allow-references': input['allow-references'],
    policy: input.policy === undefined ? undefined : checkText('policy', input.policy),
    answer: input.answer,
  });
  refuseToLockOut({ contract, given, tokens });
  const { operations } = contract;
  const render = createLogRenderer({ operations, columns: () => terminalWidth() });
  const log = (entry: RequestLogEntry): void => writer.write(render(entry));
  const mock = await createMock(contract, {
    ...(tokens.length === 0 ? {} : { tokens }),
    policy: given,
    ...(input.quiet ? {} : { log }),
  });
  const stopped = waitForSignal();
  const listener = await mock.listen({ port, host: input.host });
  process.stdout.write(
    `${contract.title} ${contract.version} (${contract.source}), mocked on ${listener.url}\n`,
  );
  const notices = [
    ...ofPolicy,
    ...describeReach(listener),
    ...describePrefixes(contract),
    ...describeTokens(mock),
    ...describeAnswers(given),
  ];
  process.stderr.write(notices.map((notice) => `${notice}\n`).join(''));
  await stopped;
  await listener.close();
  await mock.close();
  writer.flush();
}
