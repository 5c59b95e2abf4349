import { buildRequest, type RequestOverrides } from '../arbitrary/request.ts';
import type { RequestCase } from '../arbitrary/request-case.ts';
import { jsonContent, readAnswer } from '../check/classify/answer.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import type { Operation } from '../contract/contract.ts';
import { withoutNames } from '../contract/operation-reading.ts';
import { findIfMatch, jsonSchemaOf } from '../contract/request-facts.ts';
import type { Route } from '../contract/router.ts';
import { withoutOperations } from '../contract/selection.ts';
import { type HttpRequest, isSafeMethod, type Send } from '../http/message.ts';
import { pathOf } from '../http/path.ts';
import { isAbsentStatus, isSuccessStatus } from '../http/status.ts';
import { memberAt } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, jsonEqual, type JsonObject } from '../json/value.ts';
import { schemaAt, schemaProperties } from '../schema/properties.ts';
import { readTag } from './item-tags.ts';
import type { MadeItem } from './made-items.ts';
import type { Original, RunMemory } from './memory.ts';
import type { OpenService } from './open-service.ts';
import { runSideBySide } from './throttle.ts';

/** A request of an earlier case, and the item that it created. */
interface CleanedRecord {
  readonly made: MadeItem | undefined;
  readonly judged: CheckedExchange;
}

/**
 * Reads a singleton before the first request that may change it. One below an item of the run is deleted with that item.
 *
 * @param read - sends the request that reads it
 */
export async function keepOriginal(
  { originals, made }: RunMemory,
  of: { readonly request: HttpRequest; readonly route: Route | undefined },
  read: (reader: Operation) => Promise<CheckedExchange>,
): Promise<void> {
  const reader = of.route?.operations.get('GET');
  if (isSafeMethod(of.request.method) || reader?.kind.kind !== 'read') return;
  const path = pathOf(of.request.target);
  const isOwn = reader.kind.resource.kind !== 'singleton' || isBelow(path, made.keys());
  if (isOwn && !originals.has(path)) return;
  const original = originals.get(path) ?? {
    path,
    reader,
    value: read(reader).then(({ answer }) => readValue(answer, reader)),
    isChanged: false,
  };
  originals.set(path, original);
  try {
    await original.value;
    original.isChanged = true;
  } catch (error) {
    originals.delete(path);
    throw error;
  }
}

const isBelow = (path: string, above: Iterable<string>): boolean =>
  [...above].some((each) => path.startsWith(`${each}/`));

function readValue(answer: CheckedExchange['answer'], { kind }: Operation): JsonObject | null | undefined {
  if (answer.kind === 'none') return undefined;
  if (isAbsentStatus(answer.response.status) || answer.response.status === 204) return null;
  const path = kind.kind === 'read' ? (kind.response ?? []) : [];
  const shown = answer.response.status === 200 ? memberAt(jsonContent(answer), path) : undefined;
  return isJsonObject(shown) ? shown : undefined;
}

/** The maximum time of a case to delete one of its items, in milliseconds. */
const longestDeleteMs = 1_000;

/** The way to send the requests of a clean-up. */
interface CleanUpSending {
  /** Serializes a request as it is. */
  readonly render: (request: RequestCase) => HttpRequest;
  readonly send: Send;
  /** Returns whether further cases use an item. */
  readonly isKept: (value: string) => boolean;
}

/** Deletes what the run created, and puts back what it changed. Nothing is checked, and an interruption stops nothing. */
export class CleanUp {
  readonly #service: OpenService;
  readonly #sending: CleanUpSending;
  /** The paths of items that cannot be deleted, cached for all cases. */
  readonly #staying = new Set<string>();

  constructor(service: OpenService, sending: CleanUpSending) {
    this.#service = service;
    this.#sending = sending;
  }

  /** Renders the DELETE of an item; undefined if the document declares none. */
  async renderDelete(item: MadeItem): Promise<HttpRequest | undefined> {
    const remover = this.#findOperation(item, 'delete');
    return remover && this.#renderRemover(item, remover);
  }

  /** Deletes an item by a declared DELETE. Returns whether it is gone. */
  async deleteItem(item: MadeItem, signal: AbortSignal): Promise<boolean> {
    const { memory, creates } = this.#service;
    const remover = this.#findOperation(item, 'delete');
    if (remover === undefined) return false;
    const reader = findIfMatch(remover) && this.#findOperation(item, 'read');
    const tag = reader && (await this.readTag(item.path, reader, signal));
    const rendered = await this.#renderRemover(item, remover, tag);
    const answer = await this.#sending.send(rendered, { framing: 'content-length', signal });
    const status = answer.kind === 'response' ? answer.response.status : 0;
    const isGone = isSuccessStatus(status) || isAbsentStatus(status);
    if (isGone && memory.made.delete(item.path)) creates.noteDeleted();
    return isGone;
  }

  /** Deletes the items that some requests created, if they can be deleted. */
  async takeAway(records: readonly CleanedRecord[], isStopped: () => boolean): Promise<void> {
    const { memory } = this.#service;
    // Nested items come before their parents.
    const items = records.flatMap(({ made }) => made ?? []);
    for (const item of items.toSorted((left, right) => right.path.length - left.path.length)) {
      const { path } = item.item;
      if (!memory.made.has(item.path) || this.#staying.has(path) || memory.isGone || isStopped()) continue;
      // If a later case named a deleted item, its result would differ from that of other runs.
      if (this.#sending.isKept(item.value)) continue;
      const timeUp = AbortSignal.timeout(longestDeleteMs);
      if (!(await this.deleteItem(item, timeUp).catch(() => false))) this.#staying.add(path);
    }
  }

  /**
   * Puts back the singletons that some requests changed, or all without `records`. Returns the paths of those that stay
   * changed, each with the reason.
   */
  async putBack(
    signal: AbortSignal,
    records?: readonly CleanedRecord[],
  ): Promise<readonly { readonly path: string; readonly reason: string }[]> {
    const { memory } = this.#service;
    const paths = records && new Set(records.map(({ judged }) => pathOf(judged.exchange.request.target)));
    const left: { path: string; reason: string }[] = [];
    for (const original of memory.originals.values()) {
      const { path, isChanged } = original;
      if (!isChanged || paths?.has(path) === false) continue;
      const reason = memory.isGone
        ? 'the service stopped answering'
        : await this.#restore(original, signal).catch(() => 'the service did not answer');
      if (reason !== undefined) left.push({ path, reason });
    }
    return left;
  }

  /** Puts a singleton back. Returns the reason if it stays changed. */
  async #restore(original: Original, signal: AbortSignal): Promise<string | undefined> {
    const { send } = this.#sending;
    const { path, reader } = original;
    const how = { framing: 'content-length', signal } as const;
    const value = await original.value;
    if (value === undefined) return 'no response showed it before';
    const answer = readAnswer(await send(await this.#renderAt(path, reader), how), reader);
    const now = readValue(answer, reader);
    if (now !== undefined && jsonEqual(now, value)) {
      original.isChanged = false;
      return undefined;
    }
    const writer = findWriter(this.#operations(), original, value);
    if (writer === undefined)
      return value === null ? 'no operation deletes it' : 'no operation writes all of it';
    const tag = answer.kind === 'none' ? undefined : readTag(answer);
    const match = findIfMatch(writer);
    const request = await this.#renderAt(path, writer, {
      ...(value === null ? {} : { body: [stringifyJson(toBody(writer, { reader, value, now: now ?? {} }))] }),
      ...(match === undefined || tag === undefined ? {} : { parameters: new Map([[match, tag]]) }),
    });
    const put = await send(request, how);
    const status = put.kind === 'response' ? put.response.status : undefined;
    original.isChanged = status === undefined || !isSuccessStatus(status);
    return original.isChanged ? `its ${writer.method} was answered ${status ?? 'with nothing'}` : undefined;
  }

  /** Renders a DELETE. Without a tag, a declared If-Match is `*`, which every existing item matches (RFC 9110 §13.1.1). */
  #renderRemover(item: MadeItem, remover: Operation, tag = '*'): Promise<HttpRequest> {
    const match = findIfMatch(remover);
    return this.#renderAt(item.path, remover, { parameters: new Map(match ? [[match, tag]] : []) });
  }

  /** Reads the ETag of an item (RFC 9110 §8.8.3). */
  async readTag(path: string, reader: Operation, signal?: AbortSignal): Promise<string | undefined> {
    const request = await this.#renderAt(path, reader);
    return readTag(
      await this.#sending.send(request, { framing: 'content-length', ...(signal && { signal }) }),
    );
  }

  /** Finds the operation that reads or deletes an item. */
  #findOperation({ item }: MadeItem, kind: 'read' | 'delete'): Operation | undefined {
    const id = withoutNames(item.path);
    return this.#operations().find(
      (each) => each.kind.kind === kind && withoutNames(each.path.template) === id,
    );
  }

  /** An excluded operation creates what others need, and deletes nothing. */
  #operations(): readonly Operation[] {
    const { contract, excluded } = this.#service.settings;
    return withoutOperations(contract, excluded).operations;
  }

  async #renderAt(
    path: string,
    operation: Operation,
    overrides: RequestOverrides = {},
  ): Promise<HttpRequest> {
    const { beforeCase } = this.#service.settings;
    const plain = buildRequest(operation, overrides);
    const request = beforeCase === undefined ? plain : await beforeCase(plain);
    const target = [path, ...request.target.split('?').slice(1)].join('?');
    return this.#sending.render({ ...request, target });
  }
}

/** Deletes created items, the last first. An item that is listed after that is tried once more. */
export async function deleteItems<Made extends { readonly item: MadeItem }>({
  list,
  remove,
  atOnce,
  signal,
}: {
  readonly list: () => readonly Made[];
  readonly remove: (made: Made) => Promise<unknown>;
  readonly atOnce: number;
  readonly signal: AbortSignal;
}): Promise<void> {
  const depthOf = ({ item }: Made): number => item.path.split('/').length;
  // Deletes that failed because of references are tried once more, one at a time.
  for (const most of list().length === 0 ? [] : [atOnce, 1]) {
    await runSideBySide({
      // Nested items come before their parents.
      tasks: list()
        .toReversed()
        .toSorted((left, right) => depthOf(right) - depthOf(left)),
      atOnce: most,
      isStopped: () => signal.aborted,
      run: async (made) => void (await remove(made)),
    }).catch(() => undefined);
  }
}

/** Finds the operation that gives a singleton its representation again, or deletes one that was not there. */
function findWriter(
  operations: readonly Operation[],
  { reader }: Original,
  value: JsonObject | null,
): Operation | undefined {
  const of = (role: Operation['kind']['kind']): Operation | undefined =>
    operations.find(
      ({ kind, path, requestBody }) =>
        kind.kind === role &&
        path.template === reader.path.template &&
        requestBody?.media.every(({ range }) => range.startsWith('application/json-patch')) !== true,
    );
  return value === null ? of('delete') : (of('replace') ?? of('update'));
}

/** Returns the body that gives a singleton its representation again, without what only the service sets. */
function toBody(
  { kind, requestBody }: Operation,
  {
    reader,
    value,
    now,
  }: { readonly reader: Operation; readonly value: JsonObject; readonly now: JsonObject },
): JsonObject {
  const path = 'request' in kind ? kind.request : [];
  const written = schemaProperties(schemaAt(jsonSchemaOf(requestBody?.media), path));
  const media = reader.responses.flatMap((response) => response.media);
  const shown = schemaProperties(
    schemaAt(jsonSchemaOf(media), reader.kind.kind === 'read' ? (reader.kind.response ?? []) : []),
  );
  const isWritable = ([name]: readonly [string, unknown]): boolean =>
    written.get(name)?.readOnly !== true &&
    (written.has(name) || !shown.has(name) || (written.size === 0 && shown.get(name)?.readOnly !== true));
  // A merge patch removes a property by null (RFC 7396 §2).
  const added = Object.keys(now).filter((name) => kind.kind === 'update' && !Object.hasOwn(value, name));
  const all = [...Object.entries(value), ...added.map((name) => [name, null] as const)];
  const body: JsonObject = Object.fromEntries(all.filter(isWritable));
  return path.reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), body);
}
