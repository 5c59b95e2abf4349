import { METHODS } from 'node:http';
import { networkInterfaces } from 'node:os';
import type { Contract } from '../../contract/contract.ts';
import { withoutOperations } from '../../contract/selection.ts';
import { listServerPrefixes } from '../../contract/router.ts';
import type { ListeningPlace } from '../../http/listen.ts';
import type { ControlOptions } from '../../mock/control/control.ts';
import { controlPrefix } from '../../mock/control/operation.ts';
import { createMock } from '../../mock/create-mock.ts';
import { createLogRenderer, renderJsonLine, type RequestLogEntry } from '../../mock/log/log-line.ts';
import { preflightMessage } from '../../mock/message.ts';
import type { Mock } from '../../mock/mock.ts';
import type { StoreLocation } from '../../mock/store/store.ts';
import type { Policy } from '../../policy/policy.ts';
import { readArguments, readControlOptions, readTokens, refuseUserinfo } from '../arguments.ts';
import {
  addKnownValues,
  describePolicy,
  openContract,
  type OpenContract,
  parseMounts,
  type ReadingOptions,
  refuseToLockOut,
} from '../contract.ts';
import { countResources } from '../control/state.ts';
import { readExcluded } from '../selection.ts';
import { describeData, openData, openFaults, readCors, readHttps } from '../mock-setup.ts';
import type { ArgumentsOf, Given } from '../../config/command-options.ts';
import { waitForSignal } from '../process.ts';
import { createLineWriter, printLines, terminalWidth } from '../terminal.ts';
import type { mockCommand } from './mock.ts';

/** Describes who may use the control interface, unless it is only this machine. */
export function describeControl(
  { isOpenToOthers }: ListeningPlace,
  control: ControlOptions | false,
): readonly string[] {
  if (!isOpenToOthers || control === false) return [];
  return [
    control.token === undefined
      ? '/__cloche/ is closed: if other machines can reach the mock, it needs a --control-token.'
      : '/__cloche/ answers requests with the control token.',
  ];
}

/** Describes the paths of a document that the control interface hides. */
export function describeHiddenPaths(
  { operations }: Pick<Contract, 'operations'>,
  control: ControlOptions | false,
): readonly string[] {
  const templates = new Set(operations.map(({ path }) => path.template));
  const hidden = [...templates].filter(
    (template) => template === controlPrefix || template.startsWith(`${controlPrefix}/`),
  );
  return control === false || hidden.length === 0
    ? []
    : [
        `Requests to ${hidden.join(', ')} go to the control interface; --no-control leaves them to the document.`,
      ];
}

/** Names the methods whose content cannot be received over a socket, because the parser of Node.js does not know them. */
function describeUnreadableMethods({ operations }: Pick<Contract, 'operations'>): readonly string[] {
  const unreadable = new Set(
    operations.flatMap(({ method, requestBody }) =>
      requestBody === undefined || METHODS.includes(method) ? [] : [method],
    ),
  );
  return [...unreadable].map(
    (method) =>
      `${method} requests with content get 501: Node.js ${process.versions.node} cannot read them. In process, they work.`,
  );
}

/** Describes the addresses at which other machines can reach a server, if they can. */
export function describeReach({ url, isOpenToOthers }: ListeningPlace): readonly string[] {
  if (!isOpenToOthers) return [];
  const { hostname, port } = new URL(url);
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => `http://${address}:${port}`);
  const isEverywhere = hostname === '0.0.0.0' || hostname === '[::]';
  const places = isEverywhere && addresses.length > 0 ? `, at ${addresses.join(' or ')}` : '';
  return [`Other machines can reach it${places}.`];
}

/** Describes where the state of a mock is stored, unless it is the memory of the process. */
function describeStore({ kind, place, found }: StoreLocation): readonly string[] {
  if (kind === 'memory') return [];
  const held = found === 0 ? 'nothing yet' : countResources(found);
  return [`The state is kept in ${place}, which held ${held}.`];
}

function describePrefixes(contract: Contract): readonly string[] {
  const prefixes = listServerPrefixes(contract);
  const example = contract.operations[0]?.path.template ?? '/';
  return prefixes.length === 0
    ? []
    : [`${example} and ${prefixes.map((prefix) => `${prefix}${example}`).join(', ')} both work.`];
}

function describeAnswers(given: Partial<Policy>): readonly string[] {
  const lines = describePolicy(given);
  return lines.length === 0
    ? []
    : ['Policy answers other than the defaults:', ...lines.map((line) => `  ${line}`)];
}

/**
 * Runs `cloche mock` until it is stopped; requests in flight are then finished.
 *
 * @throws ClocheError for a document, a port or a token file that cannot be used
 */
export async function runMock(words: Given<ArgumentsOf<typeof mockCommand>>): Promise<void> {
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
  const { contract, given, notices: ofPolicy } = await open({ onRead: (url) => texts.push(url) });
  const { operations } = contract;
  const isJson = input.log !== 'lines';
  const writer = createLineWriter(process.stdout, isJson ? 'json' : 'text');
  const renderText = createLogRenderer({ operations, columns: () => terminalWidth() });
  const render = (entry: RequestLogEntry): string => {
    if (!isJson) return renderText(entry);
    return renderJsonLine(entry, input.log === 'exchanges' ? mock.requests.get(entry.id) : undefined);
  };
  const log = (entry: RequestLogEntry): void => {
    if (input.preflights || entry.message !== preflightMessage) writer.write(render(entry));
    if (entry.stack !== undefined && !isJson) printLines(process.stderr, entry.stack.split('\n'));
  };
  // Loaded late: most mocks have none.
  const handlerFile =
    input.handlers === undefined
      ? undefined
      : (await import('../handlers.ts')).openHandlerFile(input.handlers);
  const control = readControlOptions(input);
  const https = await readHttps(input);
  const mock: Mock = await createMock(contract, {
    ...(await openData(input)),
    faults: await openFaults(input, contract),
    ...(handlerFile && { handlers: await handlerFile.read(contract) }),
    validate: input.validate,
    ...(input.fallback === undefined ? {} : { fallback: input.fallback }),
    cors: readCors(input),
    ...(tokens.length === 0 ? {} : { tokens }),
    policy: given,
    ...(input.store === undefined ? {} : { store: input.store }),
    warn: (sentence) => printLines(process.stderr, [sentence]),
    ...(input.quiet ? {} : { log }),
    control,
    // The page is loaded when it is requested.
    inspector: async () => {
      const { createInspector } = await import('../../inspector/create-inspector.ts');
      return createInspector();
    },
  });
  const stopped = waitForSignal();
  const listener = await mock.listen({ port, host, https }).catch(async (error: unknown) => {
    // An open connection to the store would keep the process alive.
    await mock.close();
    throw error;
  });
  // The mock listens already: the first response needs none of this.
  const { describeCredentials, describeFirstRequest, describeLogins } = await import('../mock-banner.ts');
  // Programs that read JSON lines expect nothing else there.
  printLines(isJson ? process.stderr : process.stdout, [
    `${contract.title} ${contract.version} (${contract.source}), mocked on ${listener.url}`,
  ]);
  const banner = { mock, url: listener.url, tokens };
  const notices = [
    ...parseMounts(input.mount).map(({ prefix, source }) => `${source} is served under ${prefix || '/'}.`),
    ...(input.document === undefined && input.mount.length === 0
      ? [
          `No document was given: this is the example ${contract.title}. To mock your own, run: cloche mock openapi.yaml`,
        ]
      : []),
    ...ofPolicy,
    ...(control === false ? [] : [`The inspector is at ${listener.url}${controlPrefix}/.`]),
    ...(listener.certificate === undefined
      ? []
      : [`Its certificate is ${listener.certificate}; a client that trusts it reports no error.`]),
    ...describeReach(listener),
    ...describeControl(listener, control),
    ...describeHiddenPaths(contract, control),
    ...(input.fallback === undefined ? [] : [`Other requests are forwarded to ${input.fallback}.`]),
    ...describeUnreadableMethods(contract),
    ...describeStore(mock.store),
    ...describeData(mock.dataReport),
    ...describePrefixes(contract),
    ...describeAnswers(given),
    ...describeCredentials(banner),
    ...describeLogins(banner),
    ...describeFirstRequest(banner),
  ];
  printLines(process.stderr, notices);
  // Loaded last: the first response needs none of this.
  const watching = input.watch ? await import('../watch/watch-mock.ts') : undefined;
  const unwatch = watching?.watchMock({
    mock,
    open,
    texts,
    policy,
    since,
    data: input.data === 'none' ? undefined : input.data,
    faults: input,
    handlers: handlerFile,
  });
  await stopped;
  unwatch?.();
  await listener.close();
  await mock.close();
  writer.flush();
}
