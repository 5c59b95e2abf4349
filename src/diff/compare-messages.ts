import type { DeclaredHeader, DeclaredResponse, MediaTypeContract, Operation } from '../contract/contract.ts';
import type { Parameter } from '../contract/read-parameters.ts';
import { findDeclaredResponse, isSuccess, statusName } from '../contract/responses.ts';
import { essenceOf, matchesMediaRange } from '../http/media-type.ts';
import type { CompiledSchema } from '../schema/compile.ts';
import type { Contracts, Found, Party } from './change.ts';
import type { Effect } from './compare-keywords.ts';
import type { SchemaComparison } from './compare-schemas.ts';

/** The parts of a comparison of two operations. */
export interface Comparison {
  readonly contracts: Contracts;
  readonly schemas: SchemaComparison;
  /** Receives each change. */
  readonly add: (found: Omit<Found, 'operation'>) => void;
}

/** The direction of a message: clients send requests, and services send responses. */
type Direction = 'request' | 'response';

/**
 * The party that a change of the valid messages breaks. A sender breaks if a message is not valid any more, and a
 * receiver if new ones are valid.
 */
const broken: Readonly<Record<Direction, Readonly<Partial<Record<Effect, Party>>>>> = {
  request: { narrower: 'clients', wider: 'services' },
  response: { narrower: 'services', wider: 'clients' },
};

/** A change of the messages of one direction, without the party that it breaks. */
type MessageChange = Omit<Found, 'operation' | 'breaks' | 'isWarning'> & { readonly effect: Effect };

function addChange({ add }: Comparison, direction: Direction, { effect, ...change }: MessageChange): void {
  const party = broken[direction][effect];
  add({ ...change, breaks: party === undefined ? [] : [party], isWarning: effect === 'changed' });
}

/** A message, or a part of it, that is compared. */
interface Subject {
  readonly direction: Direction;
  /** `request body` */
  readonly subject: string;
}

function compareSchemas(
  comparison: Comparison,
  schemas: Versions<CompiledSchema | undefined>,
  { direction, subject }: Subject,
): void {
  for (const { path, says, ...change } of comparison.schemas.compare(...schemas)) {
    // `readOnly` means nothing new for responses, nor `writeOnly` for requests.
    const isMeant = change.kind !== (direction === 'request' ? 'writeonly' : 'readonly');
    const message = path === '' ? `the ${subject} ${says}` : `${subject}: \`${path}\` ${says}`;
    addChange(comparison, direction, { ...change, message, effect: isMeant ? change.effect : 'note' });
  }
}

/** The old and the new version of something. */
export type Versions<Value> = readonly [old: Value, now: Value];

/** Returns the old and the new version of each member of two lists that has the same key. */
export function pairUp<Value>(
  [olds, nows]: Versions<readonly Value[]>,
  keysOf: Versions<(value: Value) => string>,
): readonly Versions<Value | undefined>[] {
  const [formers, laters] = [olds, nows].map(
    (list, index) => new Map(list.map((each) => [keysOf[index === 0 ? 0 : 1](each), each])),
  );
  const keys = new Set([...(formers?.keys() ?? []), ...(laters?.keys() ?? [])]);
  return [...keys].map((key) => [formers?.get(key), laters?.get(key)]);
}

type Part = Pick<Parameter, 'required' | 'pointer'>;

/** Compares whether a part of a message is declared and required. Returns whether both documents declare it. */
function comparePresence<Declared extends Part>(
  comparison: Comparison,
  versions: Versions<Declared | undefined>,
  about: Subject & { readonly kind: string; readonly gone: Effect; readonly added: Effect },
): versions is Versions<Declared> {
  const [old, now] = versions;
  const report = (what: string, effect: Effect, says: string): void => {
    const place = {
      document: now === undefined ? 'old' : 'new',
      pointer: (now ?? old)?.pointer ?? '',
    } as const;
    const message = `the ${about.subject} ${says}`;
    addChange(comparison, about.direction, { kind: `${about.kind}-${what}`, effect, message, ...place });
  };
  if (now === undefined) report('removed', about.gone, 'is not declared any more');
  else if (old === undefined && now.required) report('added', 'narrower', 'is new and required');
  else if (old === undefined) report('added', about.added, 'is new');
  else if (now.required && !old.required) report('required', 'narrower', 'is required now');
  else if (old.required && !now.required) report('optional', 'wider', 'is not required any more');
  return old !== undefined && now !== undefined;
}

/** Compares the parameters of two operations. Those of the path correspond by their position. */
export function compareParameters(comparison: Comparison, operations: Versions<Operation>): void {
  const keyIn =
    ({ path }: Operation) =>
    ({ name, in: place }: Parameter): string => {
      if (place === 'path')
        return `${place} ${path.template.split(`{${name}}`, 1)[0]?.split('{').length ?? 0}`;
      return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
    };
  const [old, now] = operations;
  for (const versions of pairUp([old.parameters, now.parameters], [keyIn(old), keyIn(now)])) {
    const { in: place, name } = versions[1] ?? versions[0] ?? { in: '', name: '' };
    const about = { direction: 'request', subject: `${place} parameter \`${name}\`` } as const;
    const rules = { ...about, kind: 'parameter', gone: 'changed', added: 'note' } as const;
    if (!comparePresence(comparison, versions, rules)) continue;
    const [former, later] = versions;
    const [before, after] = [former, later].map(
      ({ style, explode, mediaType = `style ${style}` }) => `${mediaType}${explode ? ', exploded' : ''}`,
    );
    if (before !== after) {
      const message = `the ${about.subject} is written as ${after ?? ''} now, not ${before ?? ''}`;
      const place = { document: 'new', pointer: later.pointer } as const;
      comparison.add({ kind: 'parameter-form', breaks: ['clients', 'services'], message, ...place });
    }
    compareSchemas(comparison, [former.schema, later.schema], about);
  }
}

/** Compares the request bodies of two operations. */
export function compareRequestBody(comparison: Comparison, [old, now]: Versions<Operation>): void {
  const versions = [old.requestBody, now.requestBody] as const;
  if (versions.every((each) => each === undefined)) return;
  const about = { direction: 'request', subject: 'request body' } as const;
  if (comparePresence(comparison, versions, { ...about, kind: 'body', gone: 'narrower', added: 'wider' })) {
    compareContent(comparison, [versions[0].media, versions[1].media], about);
  }
}

function findCovering(
  media: readonly MediaTypeContract[],
  { range }: MediaTypeContract,
): MediaTypeContract | undefined {
  const same = media.find((each) => each.range === range);
  return same ?? media.find((each) => matchesMediaRange(essenceOf(range), each.range));
}

/** Compares the content of two messages, by media type. */
export function compareContent(
  comparison: Comparison,
  [olds, nows]: Versions<readonly MediaTypeContract[]>,
  about: Subject,
): void {
  const { direction, subject } = about;
  for (const old of olds) {
    const now = findCovering(nows, old);
    if (now !== undefined) {
      compareSchemas(comparison, [old.schema, now.schema], about);
      continue;
    }
    const message = `the ${subject} cannot be ${old.range} any more`;
    // A client that accepts only this media type gets no response any more.
    for (const effect of direction === 'request'
      ? (['narrower'] as const)
      : (['narrower', 'wider'] as const)) {
      const { pointer } = old;
      addChange(comparison, direction, {
        kind: 'media-type-removed',
        effect,
        message,
        document: 'old',
        pointer,
      });
    }
  }
  for (const now of nows.filter((each) => findCovering(olds, each) === undefined)) {
    // A client chooses among several media types of a response by `Accept`.
    const ofResponse = olds.length === 0 ? 'narrower' : 'note';
    const effect = direction === 'request' ? 'wider' : ofResponse;
    const message = `the ${subject} can be ${now.range} now`;
    const { pointer } = now;
    addChange(comparison, direction, { kind: 'media-type-added', effect, message, document: 'new', pointer });
  }
}

/** Finds the response that applies to the statuses of another one. */
function findCounterpart(
  { status }: DeclaredResponse,
  others: readonly DeclaredResponse[],
): DeclaredResponse | undefined {
  const same = others.find((each) => statusName(each.status) === statusName(status));
  if (same !== undefined || status.kind !== 'exact') {
    return same ?? others.find((each) => each.status.kind === 'default');
  }
  return findDeclaredResponse(others, status.status);
}

/** Compares the responses of two operations, by status. */
export function compareResponses(comparison: Comparison, [old, now]: Versions<Operation>): void {
  for (const former of old.responses) {
    const later = findCounterpart(former, now.responses);
    if (later === undefined) {
      const message = `the response ${statusName(former.status)} is not declared any more`;
      const place = { document: 'old', pointer: former.pointer } as const;
      addChange(comparison, 'response', { kind: 'response-removed', effect: 'narrower', message, ...place });
    } else {
      compareResponse(comparison, [former, later]);
    }
  }
  for (const later of now.responses) {
    const former = findCounterpart(later, old.responses);
    if (former === undefined) {
      // A client treats an unknown error like 400 or 500 (RFC 9110 §15); it cannot read an unknown success.
      const isRead = isSuccess(later) || (later.status.kind === 'exact' && later.status.status < 400);
      const message = `the response ${statusName(later.status)} is new`;
      const change = { kind: 'response-added', effect: isRead ? 'wider' : 'note', message } as const;
      addChange(comparison, 'response', { ...change, document: 'new', pointer: later.pointer });
    } else if (statusName(former.status) !== statusName(later.status)) {
      compareResponse(comparison, [former, later]);
    }
  }
}

function compareResponse(comparison: Comparison, [old, now]: Versions<DeclaredResponse>): void {
  const direction = 'response';
  compareContent(comparison, [old.media, now.media], { direction, subject: 'response body' });
  const keyOf = ({ name }: DeclaredHeader): string => name.toLowerCase();
  for (const versions of pairUp([old.headers, now.headers], [keyOf, keyOf])) {
    const [former, later] = versions;
    const about = { direction, subject: `response header \`${(later ?? former)?.name ?? ''}\`` } as const;
    const gone = former?.required === true ? 'wider' : 'note';
    if (comparePresence(comparison, versions, { ...about, kind: 'header', gone, added: 'note' })) {
      compareSchemas(comparison, [versions[0].schema, versions[1].schema], about);
    }
  }
}
