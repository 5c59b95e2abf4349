import type {
  Operation,
  OutgoingRequest,
  SecurityAlternative,
  SecurityScheme,
} from '../contract/contract.ts';
import { listServerPrefixes, listServerUrls } from '../contract/router.ts';
import { isDeprecated } from '../contract/selection.ts';
import { appendPointer, resolvePointer } from '../json/pointer.ts';
import type { Policy } from '../policy/policy.ts';
import { type Change, ChangeList, type Contracts, type Party } from './change.ts';
import {
  compareContent,
  compareParameters,
  compareRequestBody,
  compareResponses,
  type Comparison,
  pairUp,
  type Versions,
} from './compare-messages.ts';
import { comparePolicy } from './compare-policy.ts';
import { SchemaComparison } from './compare-schemas.ts';

/** Returns the name of an operation without the names of its path parameters, which clients do not see. */
function keyOf({ method, path }: Operation): string {
  return `${method} ${path.template.replaceAll(/\{[^{}]*\}/gu, '{}')}`;
}

function nameOf({ method, path }: Operation): string {
  return `${method} ${path.template}`;
}

/**
 * Returns the changes from one document to another, and whom they break.
 *
 * @param learned - how the service behaves if the old document does not specify it
 * @throws DocumentError POLICY_INVALID if `x-cloche-policy` names an unknown behaviour or value
 */
export function compareContracts(contracts: Contracts, learned: Partial<Policy> = {}): readonly Change[] {
  const changes = new ChangeList();
  const schemas = new SchemaComparison();
  const comparisonOf = (operation?: string): Comparison => ({
    contracts,
    schemas,
    add: (found) => changes.add({ ...found, operation }),
  });
  const olds = new Map(contracts.old.operations.map((operation) => [keyOf(operation), operation]));
  const pairs: [old: Operation, now: Operation][] = [];
  compareServers(comparisonOf());
  for (const now of contracts.new.operations) {
    const old = olds.get(keyOf(now));
    olds.delete(keyOf(now));
    if (old === undefined) {
      addOperation(comparisonOf(nameOf(now)), 'added', now);
    } else {
      pairs.push([old, now]);
      compareOperation(comparisonOf(nameOf(now)), old, now);
    }
  }
  for (const old of olds.values()) addOperation(comparisonOf(nameOf(old)), 'removed', old);
  compareOutgoing(comparisonOf(), 'webhook', [contracts.old.webhooks?.(), contracts.new.webhooks?.()]);
  comparePolicy({ contracts, pairs, learned, add: (found) => changes.add(found), nameOf });
  return changes.list(contracts);
}

function addOperation({ add }: Comparison, what: 'added' | 'removed', { pointer }: Operation): void {
  const isNew = what === 'added';
  const breaks: readonly Party[] = [isNew ? 'services' : 'clients'];
  const message = isNew ? 'the operation is new' : 'the operation is gone';
  add({ kind: `operation-${what}`, breaks, message, document: isNew ? 'new' : 'old', pointer });
}

/** Compares the paths of the servers, if both documents name servers. */
function compareServers({ contracts, add }: Comparison): void {
  const documents = [contracts.old, contracts.new];
  if (documents.some((contract) => listServerUrls(contract).length === 0)) return;
  const [olds = [], nows = []] = documents.map((contract) => {
    const prefixes = listServerPrefixes(contract);
    return prefixes.length === 0 ? ['/'] : prefixes;
  });
  const lost = olds.filter((prefix) => !nows.includes(prefix));
  const gained = nows.filter((prefix) => !olds.includes(prefix));
  if (lost.length + gained.length === 0) return;
  const message = `the base path is ${nows.join(' or ')} now, not ${olds.join(' or ')}`;
  const breaks: readonly Party[] = [
    ...(lost.length > 0 ? ['clients' as const] : []),
    ...(gained.length > 0 ? ['services' as const] : []),
  ];
  add({ kind: 'base-path-changed', breaks, message, document: 'new', pointer: '/servers' });
}

function compareOperation(comparison: Comparison, old: Operation, now: Operation): void {
  const { contracts, add } = comparison;
  const { pointer } = now;
  const reason = old.unclearReason ?? now.unclearReason;
  if (reason !== undefined) {
    const message = `not compared, because of the ${reason}`;
    add({ kind: 'not-compared', breaks: [], isWarning: true, message, document: 'new', pointer });
    return;
  }
  if (isDeprecated(now, contracts.new) && !isDeprecated(old, contracts.old)) {
    add({
      kind: 'operation-deprecated',
      breaks: [],
      message: 'the operation is deprecated now',
      document: 'new',
      pointer,
    });
  }
  if (old.id !== now.id && old.id !== nameOf(old)) {
    const message = `the operationId is ${now.id} now, not ${old.id}`;
    add({ kind: 'operation-id-changed', breaks: [], message, document: 'new', pointer });
  }
  compareSecurity(comparison, old, now);
  compareParameters(comparison, [old, now]);
  compareRequestBody(comparison, [old, now]);
  compareResponses(comparison, [old, now]);
  compareOutgoing(comparison, 'callback', [old.callbacks?.(), now.callbacks?.()]);
}

/** Compares the requests that a service sends. Clients receive them, as they receive responses. */
function compareOutgoing(
  comparison: Comparison,
  what: 'callback' | 'webhook',
  [olds = [], nows = []]: Versions<readonly OutgoingRequest[] | undefined>,
): void {
  const keyOf = ({ name, url = '', method }: OutgoingRequest): string => [name, url, method].join(' ');
  for (const [old, now] of pairUp([olds, nows], [keyOf, keyOf])) {
    const subject = `${what} ${(now ?? old)?.name ?? ''}`;
    if (old !== undefined && now !== undefined) {
      const media = [old.requestBody?.media ?? [], now.requestBody?.media ?? []] as const;
      compareContent(comparison, media, { direction: 'response', subject: `body of the ${subject}` });
      continue;
    }
    const [verb, says] = now === undefined ? ['removed', 'is gone'] : ['added', 'is new'];
    const place = {
      document: now === undefined ? 'old' : 'new',
      pointer: (now ?? old)?.pointer ?? '',
    } as const;
    const message = `the ${subject} ${says}`;
    comparison.add({ kind: `${what}-${verb}`, breaks: [], isWarning: now === undefined, message, ...place });
  }
}

/** Compares credentials: each accepted set of them must still be enough, and new ones must be accepted. */
function compareSecurity({ contracts, add }: Comparison, old: Operation, now: Operation): void {
  const [olds, nows] = [old, now].map(({ security }) => (security.length === 0 ? [[]] : security));
  if (olds === undefined || nows === undefined) return;
  const isInBoth = (name: string): boolean =>
    [contracts.old, contracts.new].every(
      ({ root }) => resolvePointer(root, appendPointer('/components/securitySchemes', name)) !== undefined,
    );
  // A scheme may be renamed.
  const gives = (given: SecurityScheme, asked: SecurityScheme): boolean =>
    isSameScheme(given, asked) &&
    (given.name === asked.name || (!isInBoth(given.name) && !isInBoth(asked.name)));
  const isEnough = (given: SecurityAlternative, asked: SecurityAlternative): boolean =>
    asked.every((each) => given.some((one) => gives(one, each)));
  const show = (alternatives: readonly SecurityAlternative[]): string =>
    alternatives.map((schemes) => schemes.map(showScheme).join(' with ') || 'no credentials').join(' or ');
  const lost = olds.filter((given) => !nows.some((asked) => isEnough(given, asked)));
  const gained = nows.filter((given) => !olds.some((asked) => isEnough(given, asked)));
  const place = { document: 'new' as const, pointer: now.pointer };
  if (lost.length > 0) {
    const message = `not accepted any more: ${show(lost)}; accepted: ${show(nows)}`;
    add({ kind: 'security-narrowed', breaks: ['clients'], message, ...place });
  }
  if (gained.length > 0) {
    const message = `accepted now: ${show(gained)}; before: ${show(olds)}`;
    add({ kind: 'security-widened', breaks: ['services'], message, ...place });
  }
}

function showScheme(scheme: SecurityScheme): string {
  const scopes = scheme.kind === 'bearer' ? (scheme.scopes ?? []) : [];
  return scopes.length === 0 ? scheme.name : `${scheme.name} (${scopes.join(', ')})`;
}

/** Returns whether credentials of the first scheme are sent like those of the second one, and have its scopes. */
function isSameScheme(given: SecurityScheme, asked: SecurityScheme): boolean {
  if (given.kind === 'bearer' && asked.kind === 'bearer') {
    return (asked.scopes ?? []).every((scope) => given.scopes?.includes(scope) === true);
  }
  if (given.kind === 'api-key' && asked.kind === 'api-key') {
    return given.in === asked.in && given.parameter === asked.parameter;
  }
  return given.kind === asked.kind;
}
