import type { Contract } from '../../contract/contract.ts';
import { withoutOperations } from '../../contract/selection.ts';
import { createMock } from '../../mock/create-mock.ts';
import { createLogRenderer, renderJsonLine, type RequestLogEntry } from '../../mock/log/log-line.ts';
import { preflightMessage } from '../../mock/message.ts';
import type { Mock, MockOptions } from '../../mock/mock.ts';
import { readArguments, readControlOptions, readTokens, refuseUserinfo } from '../arguments.ts';
import {
  addKnownValues,
  openContract,
  type OpenContract,
  type ReadingOptions,
  refuseToLockOut,
} from '../contract.ts';
import type { HandlerFile } from '../handlers.ts';
import { listNotices } from '../mock-notices.ts';
import { readExcluded } from '../selection.ts';
import { openData, openFaults, readCors, readHttps } from '../mock-setup.ts';
import type { ArgumentsOf, Given } from '../../config/command-options.ts';
import { waitForSignal } from '../process.ts';
import { createLineWriter, printLines, terminalWidth } from '../terminal.ts';
import { watchMock } from '../watch/watch-mock.ts';
import type { mockCommand } from './mock.ts';

type MockArguments = ArgumentsOf<typeof mockCommand>;

/**
 * Runs `cloche mock` until it is stopped; requests in flight are then finished.
 *
 * @throws ClocheError for a document, a port or a token file that cannot be used
 */
export async function runMock(words: Given<MockArguments>): Promise<void> {
  const input = readArguments(words);
  const { port, host, policy } = input;
  refuseUserinfo('the document', input.document);
  refuseUserinfo('the fallback', input.fallback);
  const tokens = await readTokens(input.token, input['token-file']);
  if (input.extension.length > 0) {
    // Loaded late: it loads the code of runs.
    const { openExtensionFiles } = await import('../extensions.ts');
    await openExtensionFiles(input.extension);
  }
  const since = Date.now();
  const texts: URL[] = [];
  async function open(reading: ReadingOptions): Promise<OpenContract> {
    const read = await openContract(input, reading);
    const whole = await addKnownValues(read.contract, { input, given: words, use: 'data' });
    const opened = { ...read, contract: withoutOperations(whole, readExcluded(whole, input)) };
    refuseToLockOut(opened, tokens);
    return opened;
  }
  // Loaded late: most mocks have one process.
  const workers = input.workers === 1 ? undefined : await import('../mock-workers.ts');
  const settings = workers?.readWorkers(input);
  if (workers?.isWorker === true)
    return workers.runWorker(async () => (await open({ mayBePipe: false })).contract);
  const { contract, given, notices: ofPolicy } = await open({ onRead: (url) => texts.push(url) });
  const isJson = input.log !== 'lines';
  const { log, flush } = createRequestLog(input, contract, (id) => mock.requests.get(id));
  // Loaded late: most mocks have none.
  const handlers =
    input.handlers === undefined
      ? undefined
      : (await import('../handlers.ts')).openHandlerFile(input.handlers);
  const control = readControlOptions(input);
  const https = await readHttps(input);
  const warn = (sentence: string): void => printLines(process.stderr, [sentence]);
  const options: MockOptions = {
    ...(await readMockOptions(input, contract, handlers)),
    ...(input.quiet ? {} : { log, logCallback: (callback) => void printCallback(callback) }),
    ...(tokens.length === 0 ? {} : { tokens }),
    policy: given,
    warn,
    control,
  };
  const shared =
    settings && (await workers?.createMockOfWorkers(contract, options, { ...settings, tell: warn }));
  const mock: Mock = shared?.mock ?? (await createMock(contract, options));
  const stopped = waitForSignal();
  const listener = await mock.listen({ port, host, https }).catch(async (error: unknown) => {
    // An open connection to the store would keep the process alive.
    await mock.close();
    throw error;
  });
  // Programs that read JSON lines expect nothing else there.
  printLines(isJson ? process.stderr : process.stdout, [
    `${contract.title} ${contract.version} (${contract.source}), mocked on ${listener.url}`,
  ]);
  printLines(process.stderr, listNotices({ mock, listener, input, control, given, tokens, ofPolicy }));
  const unwatch = input.watch
    ? watchMock({
        mock,
        open,
        texts,
        policy,
        since,
        data: input.data === 'none' ? undefined : input.data,
        faults: input,
        handlers,
        replay: input.replay,
        around: shared?.around,
      })
    : undefined;
  try {
    await (shared === undefined ? stopped : Promise.race([stopped, shared.failed]));
  } finally {
    unwatch?.();
    await listener.close();
    await mock.close();
    flush();
  }
}

/** Creates the log of requests on standard output. `find` returns a request with its exchange. */
function createRequestLog(
  input: MockArguments,
  { operations }: Contract,
  find: (id: number) => Parameters<typeof renderJsonLine>[1],
): { readonly log: (entry: RequestLogEntry) => void; readonly flush: () => void } {
  const isJson = input.log !== 'lines';
  const writer = createLineWriter(process.stdout, isJson ? 'json' : 'text');
  const renderText = createLogRenderer({ operations, columns: () => terminalWidth() });
  const render = (entry: RequestLogEntry): string => {
    if (!isJson) return renderText(entry);
    return renderJsonLine(entry, input.log === 'exchanges' ? find(entry.id) : undefined);
  };
  return {
    log(entry) {
      if (input.preflights || entry.message !== preflightMessage) writer.write(render(entry));
      if (entry.stack !== undefined && !isJson) printLines(process.stderr, entry.stack.split('\n'));
    },
    flush: () => writer.flush(),
  };
}

/** Reads the options of a mock and the files that they name. */
async function readMockOptions(
  input: MockArguments,
  contract: Contract,
  handlerFile: HandlerFile | undefined,
): Promise<MockOptions> {
  return {
    ...(await openData(input)),
    faults: await openFaults(input, contract),
    ...(handlerFile && { handlers: await handlerFile.read(contract) }),
    validate: input.validate,
    ...(input.fallback === undefined ? {} : { fallback: input.fallback }),
    // Loaded late: most mocks replay nothing.
    ...(input.replay === undefined
      ? {}
      : { replay: await (await import('../replay.ts')).readReplay(input.replay, contract) }),
    callbacks: input.callbacks,
    cors: readCors(input),
    ...(input.store === undefined ? {} : { store: input.store }),
    // The page is loaded when it is requested.
    inspector: async () => (await import('../../inspector/create-inspector.ts')).createInspector(),
  };
}

/** Prints what became of a callback. */
async function printCallback(
  callback: Parameters<NonNullable<MockOptions['logCallback']>>[0],
): Promise<void> {
  // Loaded late: most mocks send none.
  const { describeCallback } = await import('../../mock/callbacks/callback.ts');
  printLines(process.stderr, [describeCallback(callback)]);
}
