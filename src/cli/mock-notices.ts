import { METHODS } from 'node:http';
import type { Picked } from '../config/command-options.ts';
import type { Contract } from '../contract/contract.ts';
import { listServerPrefixes } from '../contract/router.ts';
import type { ListeningPlace } from '../http/listen.ts';
import type { ControlOptions } from '../mock/control/control.ts';
import { controlPrefix } from '../mock/control/operation.ts';
import type { Listener, Mock } from '../mock/mock.ts';
import type { StoreLocation } from '../mock/store/store.ts';
import type { Policy } from '../policy/policy.ts';
import { describePolicy, parseMounts } from './contract.ts';
import { describeReach } from './listening.ts';
import { describeCredentials, describeFirstRequest, describeLogins } from './mock-banner.ts';
import { describeData } from './mock-setup.ts';
import { countResources } from './terminal.ts';

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

/** Says that lists are empty at the start, and how to fill them, unless the user asked for that. */
function describeEmpty({ mock, input }: Pick<StartedMock, 'mock' | 'input'>): readonly string[] {
  const lists = mock.contract.operations.some(({ kind }) => kind.kind === 'list' && kind.resource.isKept);
  const isEmpty = mock.dataReport === undefined && mock.store.kind === 'memory' && input.data !== 'none';
  return lists && isEmpty
    ? ['Lists are empty at the start: --data-count 5 fills them, --data FILE gives items of your own.']
    : [];
}

/** What the notices of a mock depend on. */
interface StartedMock {
  readonly mock: Mock;
  readonly listener: Listener;
  readonly input: Picked<'data' | 'document' | 'mount' | 'fallback'>;
  readonly control: ControlOptions | false;
  /** The values of the policy that were given. */
  readonly given: Partial<Policy>;
  readonly tokens: readonly string[];
  /** Notices about the policy file. */
  readonly ofPolicy: readonly string[];
}

/** Lists what a user should know about a mock that has just started, one line each. */
export function listNotices(started: StartedMock): readonly string[] {
  const { mock, listener, input, control, given, tokens, ofPolicy } = started;
  const { contract } = mock;
  const { certificate, url } = listener;
  const isExample = input.document === undefined && input.mount.length === 0;
  const banner = { mock, url, tokens };
  return [
    ...parseMounts(input.mount).map(({ prefix, source }) => `${source} is served under ${prefix || '/'}.`),
    ...(isExample
      ? [
          `No document was given: this is the example ${contract.title}. To mock your own, run: cloche mock openapi.yaml`,
        ]
      : []),
    ...ofPolicy,
    ...(control === false ? [] : [`The inspector is at ${url}${controlPrefix}/.`]),
    ...(certificate === undefined
      ? []
      : [`Its certificate is ${certificate}; a client that trusts it reports no error.`]),
    ...describeReach(listener),
    ...describeControl(listener, control),
    ...describeHiddenPaths(contract, control),
    ...(input.fallback === undefined ? [] : [`Other requests are forwarded to ${input.fallback}.`]),
    ...describeUnreadableMethods(contract),
    ...describeStore(mock.store),
    ...describeData(mock.dataReport),
    ...describeEmpty(started),
    ...describePrefixes(contract),
    ...describeAnswers(given),
    ...describeCredentials(banner),
    ...describeLogins(banner),
    ...describeFirstRequest(banner),
  ];
}
