import type { KeySlot, RequestCase } from '../arbitrary/request-case.ts';
import { renderRequest } from '../arbitrary/request.ts';
import type { Finding } from '../check/finding.ts';
import { judgeExchange } from '../check/judge.ts';
import { classifyStatus, telltaleTexts } from '../check/reading/answer.ts';
import { readKey } from '../check/reading/request.ts';
import type { CheckContext, Judged, RequestReading } from '../check/reading/subject.ts';
import type { Operation } from '../contract/contract.ts';
import type { Route } from '../contract/router.ts';
import type { HttpRequest, Send } from '../http/message.ts';
import type { RunOptions } from './events.ts';
import { type KeyAllocator, keyStyle, keyText } from './keys.ts';
import { rememberBody, rememberKey, type RunMemory, type SentRequest } from './memory.ts';
import type { KeyBinding, Session } from './suite.ts';
import { cannotJudge } from './throttle.ts';

/** What checks may know in a run: one for the whole run, which shows what is known by now. */
export function checkContextOf(
  { contract, policy, told, echo, token }: RunOptions,
  memory: RunMemory,
): CheckContext {
  return {
    contract,
    policy,
    told,
    echo,
    goodTokens: token === undefined ? [] : [token],
    taken: memory.taken,
    takesEqual: memory.takesEqual,
    wasSent: (operationId, text) => memory.sentTexts.find(operationId, text) !== undefined,
    get longestPlainBody() {
      return memory.longestPlainBody;
    },
  };
}

/** More than this are not under way together when a service goes down. */
const mostBrokenOff = 100;

/** A request as it was asked for and as it was answered. */
export interface SessionRecord {
  readonly request: RequestCase;
  readonly keys: KeyBinding;
  readonly judged: Judged;
  /** When it left and when it was answered, in milliseconds of one clock. */
  readonly from: number;
  readonly to: number;
}

/** A session that hands each exchange to its owner, and can make its requests again with fresh keys. */
export interface RecordingSession extends Session {
  /** Runs something with its exchanges recorded. */
  record<T>(
    run: (session: Session) => Promise<T>,
    options: { readonly far: boolean },
  ): Promise<{ readonly result: T; readonly records: readonly SessionRecord[] }>;
  /** The requests of some records, with keys that were never sent. */
  renderFresh(records: readonly Pick<SessionRecord, 'request' | 'keys'>[]): readonly HttpRequest[];
}

function bindKeys(next: () => number): KeyBinding & { readonly serial: (slot: number) => number } {
  const serials = new Map<number, number>();
  return {
    serial(slot) {
      const serial = serials.get(slot) ?? next();
      serials.set(slot, serial);
      return serial;
    },
  };
}

/**
 * Creates what the properties of a run send their requests through: it draws keys, fills credentials in,
 * times, judges and records.
 *
 * @param input.send - both keep to the rate of the run
 * @param input.onJudged - called for every exchange
 * @throws ClocheError CANNOT_JUDGE from send() where the service is gone
 */
export function createSession(input: {
  readonly options: RunOptions;
  readonly send: {
    /** Waits, where the service asks it to. */
    readonly patient: Send;
    readonly blunt: Send;
  };
  readonly allocator: KeyAllocator;
  readonly memory: RunMemory;
  readonly route: (path: string) => Route | undefined;
  readonly context: () => CheckContext;
  readonly onJudged: (judged: Judged) => void;
  /**
   * Sends a request elsewhere at the same time.
   *
   * @returns what adds to an exchange what comes of comparing the two
   * @defaultValue nothing is sent elsewhere
   */
  readonly accompany?: (request: RequestCase, keys: KeyBinding) => Promise<(judged: Judged) => Judged>;
}): RecordingSession {
  const { options, send, allocator, memory, route } = input;
  const { contract, policy, token } = options;
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  // Made of nothing of the good one, which may not be shown. Basic authentication wants a colon (RFC 7617 §2).
  const wrongTokens =
    token?.includes(':') === true ? ['not:a-token', 'no:token'] : ['not-a-token', 'no-token'];
  const wrongToken = wrongTokens.find((wrong) => wrong !== token) ?? '';

  function render(request: RequestCase, keys: KeyBinding): HttpRequest {
    const operation = request.operationId === undefined ? undefined : operations.get(request.operationId);
    const style = keyStyle(operation);
    const text = (slot: KeySlot): string => keyText(keys.serial(slot.slot), slot, style);
    return renderRequest({ request, keys: text, operation, token, wrongToken });
  }

  /** How many requests of a binding are under way. */
  const racing = new Map<KeyBinding, number>();

  /** @returns how many others of its binding are under way */
  function countRacing(keys: KeyBinding, step: 1 | -1): number {
    const count = (racing.get(keys) ?? 0) + step;
    racing.set(keys, count);
    if (count === 0) {
      racing.delete(keys);
    }
    return step === 1 ? count - 1 : count;
  }

  function readKeyState(request: RequestCase, operation: Operation | undefined, isRaced: boolean) {
    return (reading: Omit<RequestReading, 'key'>): RequestReading['key'] => {
      const key = readKey(reading.body, operation);
      if (key === undefined) return 'none';
      const known = rememberKey({ sentKeys: memory.sentKeys, place: request.target, key });
      const isAllocated = request.body?.some((part) => typeof part === 'object' && 'slot' in part) ?? false;
      if (known === 'sent' || isRaced || !isAllocated) return known === 'sent' || isRaced ? 'sent' : 'chosen';
      return known === 'twin' ? 'twin' : 'allocated';
    };
  }

  /** A service may find a key in a body that is not read here: in another notation, or malformed. */
  function rememberSlots(request: RequestCase, keys: KeyBinding, operation: Operation | undefined): void {
    const style = keyStyle(operation);
    for (const part of request.body ?? []) {
      if (typeof part === 'object' && 'slot' in part) {
        memory.sentKeys.add(`${request.target} ${keyText(keys.serial(part.slot), part, style)}`);
      }
    }
  }

  /** @returns the texts by which the request is known again in another's answer */
  function remember({ request, answer, operation }: Judged): readonly string[] {
    const { body, credentials } = request;
    const isPlain = body.kind === 'not-expected' || (body.kind === 'valid' && body.grade.kind === 'plain');
    if (operation === undefined || !isPlain || (credentials !== 'good' && credentials !== 'not-required')) {
      return [];
    }
    const isTaken = classifyStatus(answer) === 'accepted';
    if (isTaken) {
      memory.taken.add(operation.id);
    }
    if (body.kind !== 'valid') return [];
    memory.longestPlainBody = Math.max(memory.longestPlainBody, request.bodyBytes);
    if (request.key === 'allocated' || request.key === 'none') {
      memory.plainSent += 1;
      memory.plainAccepted += isTaken ? 1 : 0;
      if (isTaken) {
        rememberBody({ memory, operation, value: body.value });
      }
    }
    return telltaleTexts(body.value);
  }

  async function sendCase(request: RequestCase, keys: KeyBinding): Promise<Judged> {
    const rendered = render(request, keys);
    const startedAt = performance.now();
    const sent: SentRequest = { request, keys, body: rendered.body, from: startedAt, to: Infinity };
    memory.sentTexts.leave(sent);
    const others = countRacing(keys, 1);
    const sendOptions = options.signal === undefined ? {} : { signal: options.signal };
    const accompanied = input.accompany?.(request, keys);
    // It is waited for below, unless the service itself is gone by then.
    accompanied?.catch(() => undefined);
    // A guard against guessing may put off whoever comes with bad credentials; that is its answer to them.
    const isTrusted = request.credentials.kind === 'good' || request.credentials.kind === 'spelled';
    const answer = await send[isTrusted ? 'patient' : 'blunt'](rendered, {
      framing: request.framing,
      ...sendOptions,
    });
    const isRaced = countRacing(keys, -1) + others > 0;
    const exchange = { request: rendered, answer, durationMs: performance.now() - startedAt };
    const found = route(rendered.target.split('?', 1)[0] ?? '');
    const operation = found?.operations.get(rendered.method);
    const reading = judgeExchange({
      exchange,
      route: found,
      framing: request.framing,
      keyState: readKeyState(request, operation, isRaced),
      context: input.context(),
    });
    // A request that was broken off by an interruption says nothing about the service.
    const isOurs = options.signal?.aborted === true && answer.kind !== 'response';
    const judged = isOurs ? { ...reading, findings: [] } : reading;
    rememberSlots(request, keys, operation);
    if (answer.kind === 'unreachable') {
      memory.isGone = true;
      throw memory.wasThere
        ? cannotJudge(
            options.target,
            `it went down during the run: ${answer.reason}`,
            'Mend what brought it down first; with --connections 1 the run names the very request',
          )
        : cannotJudge(
            options.target,
            `${answer.reason} (at ${rendered.method} ${rendered.target})`,
            'Start the service, or name its base URL, and run again',
          );
    }
    if (answer.kind === 'response') {
      memory.wasThere = true;
      // Answers to what was sent before may still be on their way when a service goes down.
      if (memory.brokenOff.length > 0) {
        memory.brokenOff = memory.brokenOff.filter(({ at }) => at > startedAt);
      }
    } else if (answer.kind === 'dropped') {
      memory.brokenOff = [...memory.brokenOff.slice(1 - mostBrokenOff), { judged, at: performance.now() }];
    }
    memory.sentTexts.arrive(sent, remember(judged));
    const compared = accompanied === undefined ? judged : (await accompanied)(judged);
    input.onJudged(compared);
    return compared;
  }

  const session: RecordingSession = {
    contract,
    policy,
    bindKeys: () => bindKeys(() => allocator.next()),
    send: sendCase,
    async record(run, { far }) {
      const records: SessionRecord[] = [];
      let sent = 0;
      const recorder: Session = {
        contract,
        policy,
        bindKeys: () => bindKeys(() => (far ? allocator.nextFar() : allocator.next())),
        async send(request, keys) {
          const place = sent;
          sent += 1;
          const from = performance.now();
          const judged = await sendCase(request, keys);
          // In the order of sending: answers to what is sent side by side come in any.
          records[place] = { request, keys, judged, from, to: performance.now() };
          return judged;
        },
      };
      return { result: await run(recorder), records };
    },
    renderFresh(records) {
      const fresh = new Map<KeyBinding, KeyBinding>();
      return records.map(({ request, keys }) => {
        const binding = fresh.get(keys) ?? bindKeys(() => allocator.next());
        fresh.set(keys, binding);
        return render(request, binding);
      });
    },
  };
  return session;
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
