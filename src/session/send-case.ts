import { keySlots, type RequestCase } from '../arbitrary/request-case.ts';
import { buildRequest, renderRequest } from '../arbitrary/request.ts';
import type { Finding } from '../check/finding.ts';
import { judgeExchange } from '../check/judge.ts';
import { canaryTexts, isAccepted } from '../check/classify/answer.ts';
import { rememberCursors } from '../check/classify/cursors.ts';
import { isPlainOrNone, isTrusted, readKey } from '../check/classify/request.ts';
import { rememberKey } from '../check/classify/sent-keys.ts';
import type { CheckedExchange, ClassifiedRequest } from '../check/classify/subject.ts';
import type { Operation } from '../contract/contract.ts';
import type { TakenValue } from '../events/events.ts';
import { type Answer, type HttpRequest, isSafeMethod, type Send } from '../http/message.ts';
import { pathOf } from '../http/path.ts';
import { whyGone } from './cannot-judge.ts';
import { type CleanUp, createCleanUp, keepOriginal } from './clean-up.ts';
import { freshenTexts } from './fresh-texts.ts';
import type { SentCredentials } from './credentials.ts';
import { badCredentials, setGivenHeaders } from './given-headers.ts';
import {
  CreatesSpent,
  freshValue,
  ItemPool,
  NoItem,
  operationsById,
  readMoved,
  readOnlyReason,
  renewItems,
  safeMethods,
} from './items.ts';
import { slotText } from './keys.ts';
import type { MadeItem } from './made-items.ts';
import {
  rememberBody,
  rememberAccepted,
  rememberPresence,
  type RunMemory,
  type SentRequest,
} from './memory.ts';
import type { OpenService } from './open-service.ts';
import { SessionProbeItems } from './probe-items.ts';
import { actsOnService } from '../contract/service-operations.ts';
import type { Session, IdContext } from './session.ts';

/** A request and its outcome. */
export interface SessionRecord {
  readonly request: RequestCase;
  readonly keys: IdContext;
  readonly judged: CheckedExchange;
  /** The values of the items in its path, by parameter, percent-encoded. */
  readonly items: ReadonlyMap<string, string>;
  /** The item that it created. */
  readonly made: MadeItem | undefined;
  /** The times of sending and of the response, in milliseconds of one clock. */
  readonly from: number;
  readonly to: number;
}

/** The session of one case. */
export interface CaseSession extends Session {
  /** The requests so far, in the order of sending. */
  readonly records: readonly SessionRecord[];
  /** Returns whether the case waited to the end of a lag. */
  readonly areWaitsLong: () => boolean;
}

/** Ends a session: a request got no response, its response exceeds the limit, or the time is over. */
export class EndedAtHang extends Error {
  override readonly name = 'EndedAtHang';
}

/** The facts needed to render a request again. */
export type RenderedRecord = Pick<SessionRecord, 'request' | 'keys' | 'items'> & Partial<SessionRecord>;

/** Requests with fresh ids, and the values that they copy from earlier responses. */
export interface FreshRequests {
  readonly requests: readonly HttpRequest[];
  readonly taken: readonly TakenValue[];
}

/** Opens sessions, and renders their requests again. */
export interface Sender extends CleanUp {
  /**
   * Opens a session. With `far`, its ids are from a disjoint range. With `endsAtHang`, it throws {@link EndedAtHang}
   * instead of sending a request after one with the maximum cost, or after the end of its time. @defaultValue neither
   */
  open(how?: { readonly far?: boolean; readonly endsAtHang?: boolean }): CaseSession;
  /** Renders the requests of some records with fresh ids. */
  renderFresh(records: readonly RenderedRecord[]): FreshRequests;
}

/** Options for sending the requests of one property. */
export interface Sending {
  /** @defaultValue 'client' */
  readonly via?: 'client' | 'socket';
  /** Whether requests with 429 are repeated. @defaultValue true */
  readonly waits?: boolean;
  /** Returns whether the time for its cases is over. @defaultValue never */
  readonly isOver?: () => boolean;
  /** Called for every exchange. */
  readonly onJudged?: (judged: CheckedExchange) => void;
  /** Sends a request to the reference service at the same time. Returns a function that compares the two responses. */
  readonly mirror?:
    | ((request: RequestCase, keys: IdContext) => Promise<(judged: CheckedExchange) => CheckedExchange>)
    | undefined;
}

/**
 * Creates the sender for properties of a run: it draws ids, adds credentials, measures, checks and records.
 * @throws ClocheError CANNOT_JUDGE from the send() of a session if the service is unreachable
 */
export function createSender(service: OpenService, sending: Sending = {}): Sender {
  const { settings, allocator, memory, pending, credentialsOf, watchToken, route, throttle, creates } =
    service;
  const { contract, policy, signal, beforeCase } = settings;
  const { via = 'client', waits = true, isOver, onJudged, mirror } = sending;
  const transport = (via === 'socket' ? settings.socketSend : undefined) ?? settings.send;
  /** Measures each request of its own, without the waits of the throttle. */
  const timed: Send = async (request, options = {}) => {
    const from = performance.now();
    let tookMs: number | undefined;
    const answer = await transport(request, { ...options, onTook: (ms) => void (tookMs = ms) });
    options.onTook?.(tookMs ?? performance.now() - from);
    return answer;
  };
  const retrying = pending.poll(throttle(timed, { waits }));
  const direct = throttle(timed, { waits: false });
  const operations = operationsById(contract);
  /** The number of pending requests of each id context. */
  const racing = new Map<IdContext, number>();

  const operationOf = ({ operationId }: RequestCase): Operation | undefined =>
    operationId === undefined ? undefined : operations.get(operationId);

  function render(request: RequestCase, keys: IdContext, items: ReadonlyMap<string, string>): HttpRequest {
    const fresh = freshenTexts(request, operationOf(request), (slot) => keys.serial(slot));
    return renderAsIs(fresh, keys, items);
  }

  function renderAsIs(
    request: RequestCase,
    keys: IdContext,
    items: ReadonlyMap<string, string>,
  ): HttpRequest {
    const operation = operationOf(request);
    const rendered = renderRequest({
      request,
      keys: (slot) => slotText(slot, keys, operation),
      operation,
      items,
      given: credentialsOf(request).given(),
      rejected: memory.rejected,
      draw: () => allocator.next(),
    });
    return {
      ...rendered,
      headers: setGivenHeaders(rendered.headers, operation, settings.givenHeaders ?? []),
    };
  }

  /** Returns whether the end of the run must delete or put back what a request does, so its outcome must be known. */
  const isPutRight = (request: RequestCase, { method, target }: HttpRequest): boolean =>
    makesItem(operationOf(request)) || (!isSafeMethod(method) && memory.originals.has(pathOf(target)));

  /** @returns the number of other pending requests of its id context */
  function countRacing(keys: IdContext, step: 1 | -1): number {
    const count = (racing.get(keys) ?? 0) + step;
    racing.set(keys, count);
    if (count === 0) {
      racing.delete(keys);
    }
    return step === 1 ? count - 1 : count;
  }

  async function sendCase(
    request: RequestCase,
    keys: IdContext,
    items: ReadonlyMap<string, string>,
  ): Promise<CheckedExchange> {
    const credentials = credentialsOf(request);
    const loading = credentials.load();
    if (loading !== undefined) await loading;
    let rendered = render(request, keys, items);
    const found = route(rendered.target.split('?', 1)[0] ?? '');
    const operation = found?.operations.get(rendered.method);
    await keepOriginal(memory, { request: rendered, route: found }, (reader) =>
      sendCase(
        buildRequest(reader),
        openIdContext(() => allocator.next()),
        items,
      ),
    );
    const settleCreate = await creates.reserve(rendered, operation);
    if (settleCreate === undefined) throw new CreatesSpent(creates.whyNot());
    const carried = (): SentCredentials => ({ used: credentials.given(), operation: operationOf(request) });
    const first = carried();
    const startedAt = performance.now();
    const sent: SentRequest = { request, keys, items, body: rendered.body, from: startedAt, to: Infinity };
    memory.sentTexts.leave(sent);
    const make = { operation: operationOf(request), isDrawn: keySlots(request).length > 0 };
    memory.sentMakes.leave(rendered, make);
    const others = countRacing(keys, 1);
    const mirrored = mirror?.(request, keys);
    // It is awaited below, unless the service itself is unreachable by then.
    mirrored?.catch(() => undefined);
    // A guard against guessing may delay clients with bad credentials; such a response is final.
    const hasGoodToken = request.credentials.kind === 'good' || request.credentials.kind === 'spelled';
    const send: Send = hasGoodToken ? retrying : direct;
    let durationMs = 0;
    const how = {
      framing: request.framing,
      onTook: (ms: number) => void (durationMs = ms),
      ...(signal === undefined
        ? {}
        : { signal: isPutRight(request, rendered) ? lateSignal(signal) : signal }),
    };
    const sendOnce = (): Promise<Answer> =>
      send(rendered, how).catch((error: unknown) => {
        settleCreate(undefined);
        throw error;
      });
    let answer = await sendOnce();
    if (request.credentials.kind === 'good' && credentials.reject(answer, first)) {
      await credentials.load();
      memory.sentMakes.arrive(rendered);
      rendered = render(request, keys, items);
      memory.sentMakes.leave(rendered, make);
      const second = carried();
      answer = await sendOnce();
      credentials.reject(answer, second);
    }
    settleCreate(answer);
    memory.sentMakes.arrive(rendered);
    const isRaced = countRacing(keys, -1) + others > 0;
    const reading = judgeExchange({
      exchange: { request: rendered, answer, durationMs },
      route: found,
      framing: request.framing,
      user: request.credentials.user,
      trust: (read) => (service.hasOtherCredentials && badCredentials.has(read) ? 'unjudged' : read),
      keyState: (read) => readKeyState(memory, { request, operation, isRaced }, read),
      judges: settings.judges,
      context: service.context,
    });
    // A request that was aborted by an interruption proves nothing about the service.
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

  const newPool = (): ItemPool =>
    new ItemPool(contract, {
      mayChangeOthers: settings.unsafeMethods,
      mayMake: !settings.readOnly,
      whyNoMore: () => creates.whyNot(),
    });
  /** Items that many cases name are created once. */
  let shared: ItemPool | undefined;

  return {
    open({ far = false, endsAtHang = false } = {}) {
      const records: SessionRecord[] = [];
      const lags = service.openLagWaits({ isLimited: !far });
      const pool = far ? newPool() : (shared ??= newPool());
      let isHung = false;
      const session: CaseSession = {
        contract,
        policy,
        baseUrl: settings.baseUrl,
        records,
        openIdContext: (...above) =>
          openIdContext(() => (far ? allocator.nextFar() : allocator.next()), above),
        async send(wanted, keys) {
          isHung ||= endsAtHang && isOver?.() === true;
          if (isHung) throw new EndedAtHang();
          const request = beforeCase === undefined ? wanted : await beforeCase(wanted);
          if (settings.readOnly && !safeMethods.has(request.method)) throw new NoItem(readOnlyReason);
          const items = await pool.resolve(request, operationOf(request), { keys, session });
          if (isHung) throw new EndedAtHang();
          const place = sent;
          sent += 1;
          const from = performance.now();
          const judged = await sendCase(request, keys, items);
          const made = pool.note(judged, items, keys);
          noteMade(service, judged, made);
          if (made !== undefined) pending.note(judged, made);
          // In the order of sending, because responses to concurrent requests arrive in any order.
          records[place] = { request, keys, judged, items, made, from, to: performance.now() };
          isHung ||= endsAtHang && isCostly(judged);
          return judged;
        },
        openProbeItems: () => new SessionProbeItems(session, contract),
        waitsForLag: lags.wait,
        areWaitsLong: lags.areLong,
      };
      let sent = 0;
      return session;
    },
    renderFresh(records) {
      const fresh = new Map<IdContext, IdContext>();
      const bindingOf = (keys: IdContext): IdContext => {
        const binding = fresh.get(keys) ?? openIdContext(() => allocator.next(), keys.above?.map(bindingOf));
        fresh.set(keys, binding);
        return binding;
      };
      const { items, taken } = renewItems(records, ({ request, keys, made }) => {
        const operation = operationOf(request);
        if (made?.key !== 'client' || operation === undefined) return undefined;
        const own = { keys: bindingOf(keys), slot: request.ownKey };
        if (operation.kind.kind === 'replace') return freshValue(operation, made.item, own);
        const [slot] = keySlots(request);
        if (slot === undefined) return made.value;
        return encodeURIComponent(slotText(slot, own.keys, operation).replaceAll('"', ''));
      });
      const requests = records.map(({ request, keys }, index) =>
        render(request, bindingOf(keys), items[index] ?? new Map()),
      );
      return { requests, taken };
    },
    ...createCleanUp(service, {
      render: (request) =>
        renderAsIs(
          request,
          openIdContext(() => allocator.next()),
          new Map(),
        ),
      send: pending.poll(direct),
      isKept: (value) => shared?.isKept(value) === true,
    }),
  };
}

function makesItem(operation: Operation | undefined): boolean {
  return operation?.kind.kind === 'create' || (operation?.kind.kind === 'replace' && operation.kind.creates);
}

/** The extra time for requests that create items when a run is aborted, in milliseconds. */
const graceMs = 1_000;
const late = new WeakMap<AbortSignal, AbortSignal>();

/** Returns a signal that aborts later than another: created items must be known to be deleted. */
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

function openIdContext(next: () => number, above: readonly IdContext[] = []): IdContext {
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

/** Returns the state of the id in a request, and records the id as sent. */
function readKeyState(
  { sentKeys }: RunMemory,
  of: {
    readonly request: RequestCase;
    readonly operation: Operation | undefined;
    /** Whether requests with the same id were concurrent. */
    readonly isRaced: boolean;
  },
  { body }: Pick<ClassifiedRequest, 'body'>,
): ClassifiedRequest['key'] {
  const key = readKey(body, of.operation);
  if (key === undefined) return 'none';
  const known = rememberKey({ sentKeys, place: of.request.target, key });
  if (known === 'sent' || of.isRaced) return 'sent';
  if (keySlots(of.request).length === 0) return 'chosen';
  return known === 'colliding' ? 'colliding' : 'allocated';
}

/** Records ids in bodies that are not parsed here (another format, or malformed): the service may still read them. */
function rememberSlots(
  { sentKeys }: RunMemory,
  of: {
    readonly request: RequestCase;
    readonly keys: IdContext;
    readonly operation: Operation | undefined;
  },
): void {
  for (const slot of keySlots(of.request)) {
    sentKeys.add(`${of.request.target} ${slotText(slot, of.keys, of.operation)}`);
  }
}

/** Records the items that the run must delete. */
function noteMade(
  { memory: { made, unnamed }, creates }: OpenService,
  judged: CheckedExchange,
  item: MadeItem | undefined,
): void {
  const kind = judged.operation?.kind;
  if (item !== undefined) {
    made.set(item.path, item);
  } else if (kind?.kind === 'create' && isAccepted(judged.answer)) {
    const { collection } = kind.resource;
    unnamed.set(collection, (unnamed.get(collection) ?? 0) + 1);
  }
  const { method, target } = judged.exchange.request;
  const path = target.split('?', 1)[0] ?? target;
  if (method === 'DELETE' && isAccepted(judged.answer) && made.delete(path)) creates.noteDeleted();
  const own = made.get(path);
  const moved = own && readMoved(judged, own);
  if (moved !== undefined) {
    made.delete(path);
    made.set(moved.path, moved);
  }
}

/** Records the outcome of a plain request. Returns the texts that identify it in the response to another request. */
function rememberPlain(
  memory: RunMemory,
  { request, answer, operation }: CheckedExchange,
  sent: RequestCase['body'],
): readonly string[] {
  const { body, key, bodyBytes } = request;
  if (operation === undefined || !isPlainOrNone(request) || !isTrusted(request)) return [];
  const wasAccepted = isAccepted(answer);
  if (wasAccepted) {
    memory.taken.add(operation.id);
  }
  if (body.kind !== 'valid') return [];
  memory.longestPlainBody = Math.max(memory.longestPlainBody, bodyBytes);
  if (key === 'allocated' || key === 'none') {
    memory.plain.sent += 1;
    memory.plain.accepted += wasAccepted ? 1 : 0;
    if (wasAccepted) {
      rememberBody({ memory, operation, body: sent });
    }
  }
  return canaryTexts(body.value);
}

/** Returns whether two findings are occurrences of one cause. */
export function isSameCause(left: Finding, right: Finding): boolean {
  return (
    left.check === right.check &&
    left.operation === right.operation &&
    left.cause === right.cause &&
    left.trigger === right.trigger
  );
}

/** Returns the records whose exchange shows a finding; none if it follows only from several exchanges together. */
export function recordsThatShow(
  finding: Finding,
  records: readonly SessionRecord[],
): readonly SessionRecord[] {
  return records.filter(({ judged }) => judged.findings.some((other) => isSameCause(other, finding)));
}
