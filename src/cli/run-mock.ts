import type { Contract } from '../contract/contract.ts';
import type { Policy } from '../policy/policy.ts';
import { createLogRenderer } from '../mock/create-log-renderer.ts';
import { createMock } from '../mock/create-mock.ts';
import { renderJsonLine } from '../mock/log/render-json-line.ts';
import type { Mock } from '../mock/mock.ts';
import type { RequestLogEntry } from '../mock/request-log-entry.ts';
import { listServerPrefixes } from '../mock/steps/list-server-prefixes.ts';
import { checkNumber } from './check-number.ts';
import { checkText } from './check-text.ts';
import { describeData } from './describe-data.ts';
import { describeControl } from './describe-control.ts';
import { describeHiddenPaths } from './describe-hidden-paths.ts';
import { describeReach } from './describe-reach.ts';
import { describeStore } from './describe-store.ts';
import type { MockArguments } from './mock-command.ts';
import { openFaults } from './mock/open-faults.ts';
import { readCors } from './mock/read-cors.ts';
import { describePolicy } from './policy/describe-policy.ts';
import { openContract, type OpenContract } from './policy/open-contract.ts';
import { refuseToLockOut } from './policy/refuse-to-lock-out.ts';
import { openData } from './open-data.ts';
import { readControlOptions } from './read-control-options.ts';
import { readTokens } from './read-tokens.ts';
import { refuseUserinfo } from './refuse-userinfo.ts';
import { createLineWriter, printLines, terminalWidth } from './terminal.ts';
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
  const host = checkText('host', input.host);
  const tokens = await readTokens({ token: input.token, tokenFile: input['token-file'] });
  // A reader of the output that goes away is no reason to stop serving.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const since = Date.now();
  const policy = input.policy === undefined ? undefined : checkText('policy', input.policy);
  const texts: URL[] = [];
  async function open(onRead: (url: URL) => void): Promise<OpenContract> {
    const opened = await openContract({ ...input, policy, onRead });
    refuseToLockOut({ ...opened, tokens });
    return opened;
  }
  const { contract, given, notices: ofPolicy } = await open((url) => texts.push(url));
  const { operations } = contract;
  const isJson = input.log === 'json';
  const writer = createLineWriter(process.stdout, isJson ? 'json' : 'text');
  const render = isJson ? renderJsonLine : createLogRenderer({ operations, columns: () => terminalWidth() });
  const log = (entry: RequestLogEntry): void => writer.write(render(entry));
  const control = readControlOptions(input);
  const mock = await createMock(contract, {
    ...(await openData(input)),
    faults: await openFaults(input, contract),
    cors: readCors(input),
    ...(tokens.length === 0 ? {} : { tokens }),
    policy: given,
    ...(input.store === undefined ? {} : { store: checkText('store', input.store) }),
    warn: (sentence) => printLines(process.stderr, [sentence]),
    ...(input.quiet ? {} : { log }),
    control,
    // The page is read when somebody looks at it.
    inspector: async () => {
      const { createInspector } = await import('../inspector/create-inspector.ts');
      return createInspector();
    },
  });
  const stopped = waitForSignal();
  const listener = await mock.listen({ port, host }).catch(async (error: unknown) => {
    // A connection to its store would keep the process.
    await mock.close();
    throw error;
  });
  // Programs that read JSON lines read nothing else there.
  printLines(isJson ? process.stderr : process.stdout, [
    `${contract.title} ${contract.version} (${contract.source}), mocked on ${listener.url}`,
  ]);
  const notices = [
    ...ofPolicy,
    ...describeReach(listener),
    ...describeControl(listener, control),
    ...describeHiddenPaths(contract, control),
    ...describeStore(mock.store),
    ...describeData(mock.dataReport),
    ...describePrefixes(contract),
    ...describeTokens(mock),
    ...describeAnswers(given),
  ];
  printLines(process.stderr, notices);
  // Only now: nothing of it is needed before the first answer.
  const watching = input.watch ? await import('./watch/watch-mock.ts') : undefined;
  const unwatch = watching?.watchMock({ mock, open, texts, policy, since, data: input.data, faults: input });
  await stopped;
  unwatch?.();
  await listener.close();
  await mock.close();
  writer.flush();
}
