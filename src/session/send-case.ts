import { type KeyPlaceholder, keySlots, type RequestCase } from '../arbitrary/request-case.ts';
import { buildRequest, renderRequest } from '../arbitrary/request.ts';
import type { Finding } from '../check/finding.ts';
import { judgeExchange } from '../check/judge.ts';
import { canaryTexts, isAccepted } from '../check/reading/answer.ts';
import { rememberCursors } from '../check/reading/cursors.ts';
import { isPlainOrNone, isTrusted, readKey } from '../check/reading/request.ts';
import { rememberKey } from '../check/reading/sent-keys.ts';
import type { CheckedExchange, RequestReading } from '../check/reading/subject.ts';
import type { Operation } from '../contract/contract.ts';
import { withoutNames } from '../contract/operation-reading.ts';
import type { TakenValue } from '../events/events.ts';
import type { HttpRequest, Send } from '../http/message.ts';
import { isAbsentStatus, isSuccessStatus } from '../http/status.ts';
import { whyGone } from './cannot-judge.ts';
import { freshenTexts } from './fresh-texts.ts';
import { badCredentials, setGivenHeaders } from './given-headers.ts';
import {
  freshValue,
  ItemPool,
  NoItem,
  operationsById,
  readMoved,
  readOnlyReason,
  renewItems,
  safeMethods,
} from './items.ts';
import { keyStyle, keyText } from './keys.ts';
import type { MadeItem } from './made-items.ts';
import {
  rememberBody,
  rememberAccepted,
  rememberPresence,
  type RunMemory,
  type SentRequest,
} from './memory.ts';
import type { OpenService } from './open-service.ts';
import { actsOnService } from './service-operations.ts';
import type { Session, KeyBinding } from './session.ts';

/** A request as it was asked for and as it was answered. */
export interface SessionRecord {
  readonly request: RequestCase;
  readonly keys: KeyBinding;
  readonly judged: CheckedExchange;
  /** What stood for the items that its path names, by parameter, percent-encoded. */
  readonly items: ReadonlyMap<string, string>;
  /** The item that it made. */
  readonly made: MadeItem | undefined;
  /** When it left and when it was answered, in milliseconds of one clock. */
  readonly from: number;
  readonly to: number;
}

/** What one case is sent through. */
export interface CaseSession extends Session {
  /** What was sent so far, in the order of sending. */
  readonly records: readonly SessionRecord[];
}

/** Why a session sends nothing more: a request was never answered, its answer is longer than is read, or time is over. */
export class EndedAtHang extends Error {
  override readonly name = 'EndedAtHang';
}

/** What it takes to make a request again. */
export type RenderedRecord = Pick<SessionRecord, 'request' | 'keys' | 'items'> & Partial<SessionRecord>;

/** Requests with keys that were never sent, and what they take from the answers before them. */
export interface FreshRequests {
  readonly requests: readonly HttpRequest[];
  readonly taken: readonly TakenValue[];
}

/** Opens sessions, and makes their requests again. */
export interface Sender {
  /**
   * Its keys may be far apart from those of other cases; where it `endsAtHang`, it throws {@link EndedAtHang} instead
   * of sending anything past a request that cost as much as one can, or past the end of its time. @defaultValue neither
   */
  open(how?: { readonly far?: boolean; readonly endsAtHang?: boolean }): CaseSession;
  /** The requests of some records, with keys that were never sent. */
  renderFresh(records: readonly RenderedRecord[]): FreshRequests;
  /** Deletes an item where the document declares it, unjudged and even after an interruption; gives whether it is gone. */
  readonly deleteItem: (item: MadeItem, signal: AbortSignal) => Promise<boolean>;
  /** Deletes what some requests made, of what can be deleted. */
  takeAway(records: readonly SessionRecord[], isStopped: () => boolean): Promise<void>;
}

/** How the requests of one property are sent. */
export interface Sending {
  /** @defaultValue 'client' */
  readonly via?: 'client' | 'socket';
  /** Whether what is put off is sent again. @defaultValue true */
  readonly waits?: boolean;
  /** Whether the time is over by which its cases are to end. @defaultValue it never is */
  readonly isOver?: () => boolean;
  /** Called for every exchange. */
  readonly onJudged?: (judged: CheckedExchange) => void;
  /** Sends a request elsewhere at the same time, and returns what compares the two answers. */
  readonly mirror?:
    | ((request: RequestCase, keys: KeyBinding) => Promise<(judged: CheckedExchange) => CheckedExchange>)
    | undefined;
}

/**
 * Creates what the properties of a run send through: it draws keys, fills credentials in, times, judges and records.
 * @throws ClocheError CANNOT_JUDGE from the send() of a session where the service is gone
 */
export function createSender(service: OpenService, sending: Sending = {}): Sender {
  const { settings, allocator, memory, pending, credentials, watchToken, route, throttle } = service;
  const { contract, policy, signal } = settings;
  const { via = 'client', waits = true, isOver, onJudged, mirror } = sending;
  const transport = (via === 'socket' ? settings.socketSend : undefined) ?? settings.send;
  const retrying = pending.poll(throttle(transport, { waits }));
  const direct = throttle(transport, { waits: false });
  const operations = operationsById(contract);
  /** How many requests of a binding are under way. */
  const racing = new Map<KeyBinding, number>();

  const operationOf = ({ operationId }: RequestCase): Operation | undefined =>
    operationId === undefined ? undefined : operations.get(operationId);

  function render(request: RequestCase, keys: KeyBinding, items: ReadonlyMap<string, string>): HttpRequest {
    const operation = operationOf(request);
    const style = keyStyle(operation);
    const text = (slot: KeyPlaceholder): string => keyText(keys.serial(slot.slot), slot, style);
    const fresh = freshenTexts(request, operation, () => keys.serial(0));
    const rendered = renderRequest({
      request: fresh,
      keys: text,
      operation,
      items,
      given: credentials.given(),
      rejected: memory.rejected,
    });
    return {
      ...rendered,
      headers: setGivenHeaders(rendered.headers, operation, settings.givenHeaders ?? []),
    };
  }

  /** @returns how many others of its binding are under way */
  function countRacing(keys: KeyBinding, step: 1 | -1): number {
    const count = (racing.get(keys) ?? 0) + step;
    racing.set(keys, count);
    if (count === 0) {
      racing.delete(keys);
    }
    return step === 1 ? count - 1 : count;
  }

  async function sendCase(
    request: RequestCase,
    keys: KeyBinding,
    items: ReadonlyMap<string, string>,
  ): Promise<CheckedExchange> {
    const loading = credentials.load();
    if (loading !== undefined) await loading;
    let rendered = render(request, keys, items);
    const used = credentials.given();
    const startedAt = performance.now();
    const sent: SentRequest = { request, keys, items, body: rendered.body, from: startedAt, to: Infinity };
    memory.sentTexts.leave(sent);
    const make = { operation: operationOf(request), isDrawn: keySlots(request).length > 0 };
    memory.sentMakes.leave(rendered, make);
    const others = countRacing(keys, 1);
    const mirrored = mirror?.(request, keys);
    // It is waited for below, unless the service itself is gone by then.
    mirrored?.catch(() => undefined);
    // A guard against guessing may put off whoever comes with bad credentials; that is its answer to them.
    const hasGoodToken = request.credentials.kind === 'good' || request.credentials.kind === 'spelled';
    const send: Send = hasGoodToken ? retrying : direct;
    const how = {
      framing: request.framing,
      ...(signal === undefined
        ? {}
        : { signal: makesItem(operationOf(request)) ? lateSignal(signal) : signal }),
    };
    let answer = await send(rendered, how);
    if (request.credentials.kind === 'good' && credentials.reject(answer, used)) {
      await credentials.load();
      memory.sentMakes.arrive(rendered);
      rendered = render(request, keys, items);
      memory.sentMakes.leave(rendered, make);
      answer = await send(rendered, how);
    }
    memory.sentMakes.arrive(rendered);
    const isRaced = countRacing(keys, -1) + others > 0;
    const found = route(rendered.target.split('?', 1)[0] ?? '');
    const operation = found?.operations.get(rendered.method);
    const reading = judgeExchange({
      exchange: { request: rendered, answer, durationMs: performance.now() - startedAt },
      route: found,
      framing: request.framing,
      trust: (read) => (service.hasOtherCredentials && badCredentials.has(read) ? 'unjudged' : read),
      keyState: (read) => readKeyState(memory, { request, operation, isRaced }, read),
      judges: settings.judges,
      context: service.context,
    });
    // A request that was broken off by an interruption says nothing about the service.
    const isOurs = signal?.aborted === true && answer.kind !== 'response';
    const judged = isOurs ? { ...reading, findings: [] } : reading;
    rememberSlots(memory, { request, keys, operation });
    if (answer.kind === 'unreachable') {
      memory.isGone = true;
      throw whyGone(settings, memory, judged);
    }
    if (operation !== undefined && actsOnService(operation)) {
      memory.lastOfService = `${rendered.method} ${rendered.target}`;
    }
    rememberPresence(memory, judged, startedAt);
    rememberAccepted(memory, judged);
    await watchToken(judged, direct);
    rememberCursors(memory.cursors, judged);
    memory.sentTexts.arrive(sent, rememberPlain(memory, judged, request.body));
    const compared = mirrored === undefined ? judged : (await mirrored)(judged);
    onJudged?.(compared);
    return compared;
  }

  /** The paths of items that cannot be deleted, which each case would find anew. */
  const staying = new Set<string>();

  async function deleteItem({ item, path }: MadeItem, timeUp: AbortSignal): Promise<boolean> {
    const id = withoutNames(item.path);
    const remover = contract.operations.find(
      ({ kind, path: own }) => kind.kind === 'delete' && withoutNames(own.template) === id,
    );
    if (remover === undefined) return false;
    const request = buildRequest(remover);
    const target = [path, ...request.target.split('?').slice(1)].join('?');
    const rendered = render(
      { ...request, target },
      bindKeys(() => allocator.next()),
      new Map(),
    );
    const answer = await pending.poll(direct)(rendered, { framing: 'content-length', signal: timeUp });
    const status = answer.kind === 'response' ? answer.response.status : 0;
    return isSuccessStatus(status) || isAbsentStatus(status);
  }

  const newPool = (): ItemPool =>
    new ItemPool(contract, {
      mayChangeOthers: settings.unsafeMethods,
      mayMake: !settings.readOnly,
    });
  /** The items that many cases name are made once. */
  let shared: ItemPool | undefined;

  return {
    open({ far = false, endsAtHang = false } = {}) {
      const records: SessionRecord[] = [];
      const pool = far ? newPool() : (shared ??= newPool());
      let isHung = false;
      const session: CaseSession = {
        contract,
        policy,
        baseUrl: settings.baseUrl,
        records,
        bindKeys: (...above) => bindKeys(() => (far ? allocator.nextFar() : allocator.next()), above),
        async send(request, keys) {
          isHung ||= endsAtHang && isOver?.() === true;
          if (isHung) throw new EndedAtHang();
          if (settings.readOnly && !safeMethods.has(request.method)) throw new NoItem(readOnlyReason);
          const items = await pool.resolve(request, operationOf(request), { keys, session });
          if (isHung) throw new EndedAtHang();
          const place = sent;
          sent += 1;
          const from = performance.now();
          const judged = await sendCase(request, keys, items);
          const made = pool.note(judged, items, keys);
          noteMade(memory, judged, made);
          if (made !== undefined) pending.note(judged, made);
          // In the order of sending: answers to what is sent side by side come in any.
          records[place] = { request, keys, judged, items, made, from, to: performance.now() };
          isHung ||= endsAtHang && isCostly(judged);
          return judged;
        },
      };
      let sent = 0;
      return session;
    },
    renderFresh(records) {
      const fresh = new Map<KeyBinding, KeyBinding>();
      const bindingOf = (keys: KeyBinding): KeyBinding => {
        const binding = fresh.get(keys) ?? bindKeys(() => allocator.next());
        fresh.set(keys, binding);
        return binding;
      };
      const { items, taken } = renewItems(records, ({ request, keys, made }) => {
        const operation = operationOf(request);
        if (made?.key !== 'client' || operation === undefined) return undefined;
        if (operation.kind.kind === 'replace') return freshValue(operation, made.item, bindingOf(keys));
        const [slot] = keySlots(request);
        if (slot === undefined) return made.value;
        const text = keyText(bindingOf(keys).serial(slot.slot), slot, keyStyle(operation));
        return encodeURIComponent(text.replaceAll('"', ''));
      });
      const requests = records.map(({ request, keys }, index) =>
        render(request, bindingOf(keys), items[index] ?? new Map()),
      );
      return { requests, taken };
    },
    deleteItem,
    async takeAway(made, isStopped) {
      // What lies below others goes before them.
      const items = made.flatMap((record) => record.made ?? []);
      for (const item of items.toSorted((left, right) => right.path.length - left.path.length)) {
        const { path } = item.item;
        if (!memory.made.has(item.path) || staying.has(path) || memory.isGone || isStopped()) continue;
        // A case that names a deleted item shows what no other run will.
        if (shared?.isKept(item.value) === true) continue;
        const timeUp = AbortSignal.timeout(longestDeleteMs);
        if (await deleteItem(item, timeUp).catch(() => false)) memory.made.delete(item.path);
        else staying.add(path);
      }
    },
  };
}

/** How long a case may wait for one of its items to be deleted, in milliseconds. */
const longestDeleteMs = 1_000;

function makesItem(operation: Operation | undefined): boolean {
  return operation?.kind.kind === 'create' || (operation?.kind.kind === 'replace' && operation.kind.creates);
}

/** How much longer than others what makes an item may take when a run is broken off, in milliseconds. */
const graceMs = 1_000;
const late = new WeakMap<AbortSignal, AbortSignal>();

/** Aborts a while after another signal: what a create made has to be known to be taken away. */
function lateSignal(signal: AbortSignal): AbortSignal {
  const known = late.get(signal);
  if (known !== undefined) return known;
  const controller = new AbortController();
  const abort = (): void => void setTimeout(() => controller.abort(), graceMs).unref();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  late.set(signal, controller.signal);
  return controller.signal;
}

function bindKeys(next: () => number, above: readonly KeyBinding[] = []): KeyBinding {
  const serials = new Map<number, number>();
  return {
    above,
    serial(slot) {
      const serial = serials.get(slot) ?? next();
      serials.set(slot, serial);
      return serial;
    },
  };
}

function isCostly({ exchange: { answer } }: CheckedExchange): boolean {
  return (
    answer.kind === 'timed-out' || (answer.kind === 'response' && answer.response.cutAfter !== undefined)
  );
}

/** What is known of the key in a request, which counts as sent from now on. */
function readKeyState(
  { sentKeys }: RunMemory,
  of: {
    readonly request: RequestCase;
    readonly operation: Operation | undefined;
    /** Whether others with its key were under way meanwhile. */
    readonly isRaced: boolean;
  },
  { body }: Pick<RequestReading, 'body'>,
): RequestReading['key'] {
  const key = readKey(body, of.operation);
  if (key === undefined) return 'none';
  const known = rememberKey({ sentKeys, place: of.request.target, key });
  if (known === 'sent' || of.isRaced) return 'sent';
  if (keySlots(of.request).length === 0) return 'chosen';
  return known === 'twin' ? 'twin' : 'allocated';
}

/** A service may find a key in a body that is not read here: in another notation, or malformed. */
function rememberSlots(
  { sentKeys }: RunMemory,
  of: {
    readonly request: RequestCase;
    readonly keys: KeyBinding;
    readonly operation: Operation | undefined;
  },
): void {
  const style = keyStyle(of.operation);
  for (const slot of keySlots(of.request)) {
    sentKeys.add(`${of.request.target} ${keyText(of.keys.serial(slot.slot), slot, style)}`);
  }
}

/** Keeps in mind what the run has to take away. */
function noteMade({ made, unnamed }: RunMemory, judged: CheckedExchange, item: MadeItem | undefined): void {
  const kind = judged.operation?.kind;
  if (item !== undefined) {
    made.set(item.path, item);
  } else if (kind?.kind === 'create' && isAccepted(judged.answer)) {
    const { collection } = kind.resource;
    unnamed.set(collection, (unnamed.get(collection) ?? 0) + 1);
  }
  const { method, target } = judged.exchange.request;
  const path = target.split('?', 1)[0] ?? target;
  if (method === 'DELETE' && isAccepted(judged.answer)) made.delete(path);
  const own = made.get(path);
  const moved = own && readMoved(judged, own);
  if (moved !== undefined) {
    made.delete(path);
    made.set(moved.path, moved);
  }
}

/** Notes what came of a plain request, and returns the texts by which it is known again in another's answer. */
function rememberPlain(
  memory: RunMemory,
  { request, answer, operation }: CheckedExchange,
  sent: RequestCase['body'],
): readonly string[] {
  const { body, key, bodyBytes } = request;
  if (operation === undefined || !isPlainOrNone(request) || !isTrusted(request)) return [];
  const isTaken = isAccepted(answer);
  if (isTaken) {
    memory.taken.add(operation.id);
  }
  if (body.kind !== 'valid') return [];
  memory.longestPlainBody = Math.max(memory.longestPlainBody, bodyBytes);
  if (key === 'allocated' || key === 'none') {
    memory.plain.sent += 1;
    memory.plain.accepted += isTaken ? 1 : 0;
    if (isTaken) {
      rememberBody({ memory, operation, body: sent });
    }
  }
  return canaryTexts(body.value);
}

/** Whether two findings are sightings of one cause. */
export function isSameCause(left: Finding, right: Finding): boolean {
  return (
    left.check === right.check &&
    left.operation === right.operation &&
    left.cause === right.cause &&
    left.trigger === right.trigger
  );
}

/** The records whose own exchange shows a finding; none where it was concluded from several together. */
export function recordsThatShow(
  finding: Finding,
  records: readonly SessionRecord[],
): readonly SessionRecord[] {
  return records.filter(({ judged }) => judged.findings.some((other) => isSameCause(other, finding)));
}
