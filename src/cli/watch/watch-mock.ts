import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Contract, MediaTypeContract, Operation } from '../../contract/contract.ts';
import { statusName } from '../../contract/responses.ts';
import { toSourceUrl } from '../../document/source.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Mock } from '../../mock/mock.ts';
import type { ChangeReport } from '../../mock/state/migrate-state.ts';
import { readData } from '../../mock/state/data-file.ts';
import { describeValue, type Policy } from '../../policy/policy.ts';
import type { BehaviourValues } from '../../policy/behaviour.ts';
import { behaviours } from '../../policy/behaviours/index.ts';
import type { OpenContract, ReadingOptions } from '../contract.ts';
import type { HandlerFile } from '../handlers.ts';
import { describeData, openFaults } from '../mock-setup.ts';
import type { Picked } from '../../config/command-options.ts';
import { countResources, printLines } from '../terminal.ts';
import { type WatchedSource, watchSources } from './watch-files.ts';

/** Maximum number of resources that are listed one by one. */
const mostRowsListed = 10;

/** Describes the changes of the state, one line each; returns nothing if all of the state stays. */
function describeChangeReport({ kept, setAside, broughtBack }: ChangeReport): readonly string[] {
  const back =
    broughtBack === 0
      ? []
      : [`${countResources(broughtBack)} that did not fit before ${broughtBack === 1 ? 'is' : 'are'} back`];
  if (setAside.length === 0) return back;
  const listed = setAside
    .slice(0, mostRowsListed)
    .map(({ collection, key, reason }) => `  ${collection} ${key}: ${reason}`);
  const rest = setAside.length - listed.length;
  const stay = kept === 0 ? 'none stays' : `${kept} stay${kept === 1 ? 's' : ''}`;
  const [are, they] = setAside.length === 1 ? ['is', 'it does'] : ['are', 'they do'];
  return [
    ...back,
    `${countResources(setAside.length)} no longer ${setAside.length === 1 ? 'fits' : 'fit'} and ${are} set aside until ${they}; ${stay}:`,
    ...listed,
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ];
}

function mediaText(media: readonly MediaTypeContract[]): JsonValue {
  return media.map(({ range, schema, examples }) => [range, schema?.schema ?? true, [...examples]]);
}

/** Returns the parts of an operation by readable names, each with a text that differs if the part differs. */
function operationParts(operation: Operation): ReadonlyMap<string, string> {
  const { id, kind, parameters, requestBody, responses, security } = operation;
  const parts = new Map<string, JsonValue>([
    ['operationId', id],
    [
      'what it does',
      kind.kind === 'create' ? [kind.collection, kind.key.kind, kind.success ?? ''] : kind.kind,
    ],
    [
      'parameters',
      parameters.map(({ name, in: place, required, style, explode, mediaType, allowsEmpty, schema }) => [
        name,
        place,
        required,
        style,
        explode,
        mediaType ?? null,
        allowsEmpty,
        schema?.schema ?? true,
      ]),
    ],
    ['request body', requestBody === undefined ? null : [requestBody.required, mediaText(requestBody.media)]],
    ['security', security.map((alternative) => alternative.map((scheme) => JSON.stringify(scheme)))],
  ]);
  if (kind.kind === 'create' && kind.key.kind !== 'none') {
    parts.set('key', kind.key.property);
  }
  for (const { status, description, headers, media } of responses) {
    const fields = headers.map(({ name, required, schema }) => [name, required, schema?.schema ?? true]);
    parts.set(`response ${statusName(status)}`, [description, fields, mediaText(media)]);
  }
  return new Map([...parts].map(([name, value]) => [name, stringifyJson(value)]));
}

/** Maximum number of operations that are listed. */
const mostOperationsListed = 12;

function byName({ operations }: Contract): ReadonlyMap<string, Operation> {
  return new Map(
    operations.map((operation) => [`${operation.method} ${operation.path.template}`, operation]),
  );
}

function listChangedParts(before: Operation, after: Operation): readonly string[] {
  const was = operationParts(before);
  const is = operationParts(after);
  const names = new Set([...was.keys(), ...is.keys()]);
  return [...names].filter((name) => was.get(name) !== is.get(name));
}

/** Lists changes in the order of the document: `added    GET /orders`, `changed  POST /orders: request body`. */
function describeContractChange(before: Contract, after: Contract): readonly string[] {
  const was = byName(before);
  const is = byName(after);
  const ofAfter = [...is].flatMap(([name, operation]) => {
    const former = was.get(name);
    if (former === undefined) return [`added    ${name}`];
    const parts = listChangedParts(former, operation);
    return parts.length === 0 ? [] : [`changed  ${name}: ${parts.join(', ')}`];
  });
  const removed = [...was.keys()].filter((name) => !is.has(name)).map((name) => `removed  ${name}`);
  const lines = [...ofAfter, ...removed];
  const rest = lines.length - mostOperationsListed;
  return rest > 0 ? [...lines.slice(0, mostOperationsListed), `… and ${rest} operations more`] : lines;
}

function listChanges(
  before: Partial<BehaviourValues>,
  after: Partial<BehaviourValues>,
  lead: string,
): readonly string[] {
  return Object.values(behaviours).flatMap(({ id }) => {
    const answer = after[id];
    if (isDeepStrictEqual(before[id], answer)) return [];
    const said = answer === undefined ? 'as everywhere' : describeValue(id, answer);
    return [`answers  ${lead}${id}: ${said}`];
  });
}

function describePolicyChange(before: Policy, after: Policy): readonly string[] {
  const operations = Object.keys({ ...before.operations, ...after.operations });
  const ofOperations = operations.flatMap((id) =>
    listChanges(before.operations?.[id] ?? {}, after.operations?.[id] ?? {}, `${id}: `),
  );
  return [...listChanges(before, after, ''), ...ofOperations];
}

/** Creates a source that watches the document of a mock, the files that it refers to, and the policy file. */
function createContractSource(input: Pick<WatchedMock, 'mock' | 'open' | 'texts' | 'policy'>): WatchedSource {
  const { mock, open } = input;
  const policy = input.policy === undefined ? [] : [resolve(input.policy)];
  let texts = toFiles(input.texts);
  /** Whether a changed policy has not been applied yet. */
  let isPolicyNew = false;
  return {
    files: () => [...new Set([...texts, ...policy])],
    async takeUp(changed) {
      isPolicyNew ||= policy.some((file) => changed.includes(file));
      const read: URL[] = [];
      const opened = await open({ onRead: (url) => read.push(url), mayBePipe: false }).catch(
        (error: unknown) => {
          // A file that is referred to now may be the one that is missing.
          texts = [...new Set([...texts, ...toFiles(read)])];
          throw error;
        },
      );
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

/** Returns the paths of local files. Documents from the network are not watched. */
function toFiles(urls: readonly URL[]): readonly string[] {
  return urls.filter(({ protocol }) => protocol === 'file:').map((url) => fileURLToPath(url));
}

/** Creates a source that watches a file; none if it is from the network. */
function createSource(file: URL, takeUp: WatchedSource['takeUp']): WatchedSource {
  const files = toFiles([file]);
  return { files: () => files, takeUp };
}

/** Creates a source that watches the file of fault rules. */
export function createFaultSource(input: {
  readonly mock: Mock;
  readonly file: string;
  readonly given: Picked<'delay' | 'faults'>;
}): WatchedSource {
  const { mock, given } = input;
  return createSource(pathToFileURL(input.file), async () => {
    const { added, changed, removed } = mock.faults.replaceStart(
      await openFaults(given, mock.contract, { mayBePipe: false }),
    );
    return [
      ...added.map((id) => `added    fault ${id}`),
      ...changed.map((id) => `changed  fault ${id}`),
      ...removed.map((id) => `removed  fault ${id}`),
    ];
  });
}

interface WatchedMock {
  readonly mock: Mock;
  /** Reads the document and the policy values, with the options of the start. */
  readonly open: (reading: ReadingOptions) => Promise<Pick<OpenContract, 'contract' | 'given'>>;
  /** The texts of the document that were read at the start. */
  readonly texts: readonly URL[];
  readonly policy: string | undefined;
  /** The source of the initial data, if there is one. */
  readonly data: string | undefined;
  /** The options of the initial faults, if there are any. */
  readonly faults?: Picked<'delay' | 'faults'>;
  readonly handlers?: HandlerFile | undefined;
  /** The file of recorded exchanges, if there is one. */
  readonly replay?: string | undefined;
  /** Runs a change of the mock. @defaultValue just runs it */
  readonly around?: (<T>(change: () => Promise<T>) => Promise<T>) | undefined;
  /** The time at which reading the files began, in milliseconds since 1970. */
  readonly since: number;
}

/** Watches the files of a mock, and reports the effects of changes on stderr. Returns a function that stops it. */
export function watchMock(input: WatchedMock): () => void {
  const { mock, data, replay, faults, handlers, since, around = (change) => change() } = input;
  // The contract comes first: the data depends on it, and so do the operations that rules name.
  const sources = [createContractSource(input)];
  if (data !== undefined) {
    const takeUp = async (): Promise<readonly string[]> => {
      const report = await mock.change({ data: await readData(data, { mayBePipe: false }) });
      return describeData(report.data);
    };
    sources.push(createSource(toSourceUrl(data), takeUp));
  }
  if (replay !== undefined) {
    const takeUp = async (): Promise<readonly string[]> => {
      // Loaded late: most mocks replay nothing.
      const { readReplay } = await import('../replay.ts');
      await mock.change({ replay: await readReplay(replay, mock.contract) });
      return ['read the recording again'];
    };
    sources.push(createSource(pathToFileURL(replay), takeUp));
  }
  if (faults?.faults !== undefined) {
    sources.push(createFaultSource({ mock, file: faults.faults, given: faults }));
  }
  if (handlers !== undefined) {
    const takeUp = async (): Promise<readonly string[]> => {
      await mock.change({ handlers: await handlers.read(mock.contract) });
      return ['read the handlers again'];
    };
    sources.push({ files: handlers.files, takeUp });
  }
  return watchSources({
    sources: sources.map((source) => ({
      files: source.files,
      takeUp: (changed) => around(() => source.takeUp(changed)),
    })),
    since,
    tell({ lines, all }) {
      const [first = '', ...rest] = lines;
      const time = new Date().toTimeString().slice(0, 8);
      printLines(process.stderr, [`${time} ${first}`, ...rest]);
      mock.notices = all;
    },
  });
}
