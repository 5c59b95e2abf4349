import { judgeValue } from '../arbitrary/from-schema.ts';
import type { PlainBody } from '../arbitrary/plain-body.ts';
import { type CredentialCase, plainKey } from '../arbitrary/request-case.ts';
import { buildRequest, plainRequest, renderRequest } from '../arbitrary/request.ts';
import { toProbeExchange } from '../check/probe-exchange.ts';
import type { Operation } from '../contract/contract.ts';
import { findIfMatch } from '../contract/request-facts.ts';
import { toCurl } from '../http/curl.ts';
import { type Exchange, headerValue, type HttpRequest } from '../http/message.ts';
import { redactText } from '../http/redact.ts';
import { parseJsonValue } from '../json/parse.ts';
import { jsonEqual, type JsonValue } from '../json/value.ts';
import { withQuery } from '../policy/probe-items.ts';
import { isRefused, writeBody } from '../policy/probing.ts';
import {
  type ProbeSession,
  type Probe,
  type ProbeExchange,
  type ProbeItem,
  type ProbeItems,
  type ProbeKey,
  type ProbePiece,
  type ProbeResult,
  type ProbeRequest,
  type BehaviourId,
  Unanswered,
} from '../policy/behaviour.ts';
import { behaviours } from '../policy/behaviours/index.ts';
import type { SessionCredentials } from '../session/credentials.ts';
import { keyStyle, keyText } from '../session/keys.ts';
import type { LearntExchange, LearntOutcome } from './events.ts';
import { createProbeItems, type ProbeSessionInput } from './items.ts';
import { type SampleForm, sampleForms } from './sample.ts';
import { OutOfRequests } from './sender.ts';

/** The maximum number of exchanges in the evidence of a value. */
const mostShown = 2;

/** Probes a behaviour of an operation several times; `show` converts an exchange to evidence. */
export async function probeBehaviour(
  input: Omit<ProbeSessionInput, 'known'> & {
    readonly id: BehaviourId;
    readonly trials: number;
    readonly show: (exchange: Exchange) => LearntExchange;
  },
): Promise<LearntOutcome> {
  const { id, trials, show } = input;
  // `as`: values are JSON, as the schemas of the behaviours specify.
  const probe = behaviours[id].probe as unknown as Probe<JsonValue>;
  const known = new Map<string, unknown>();
  const done: Trial[] = [];
  for (let count = 0; count < trials; count += 1) {
    const exchanges: Exchange[] = [];
    const onExchange = (exchange: Exchange): void => {
      exchanges.push(exchange);
      input.onExchange(exchange);
    };
    let reading: ProbeResult<JsonValue>;
    const items = createProbeItems({ ...input, known, onExchange }, createProbeSession);
    try {
      reading = await probe.ask(createProbeSession({ ...input, known, onExchange, items }));
    } catch (error) {
      if (error instanceof OutOfRequests) {
        return { kind: 'unsettled', why: error.message };
      }
      if (!(error instanceof Unanswered)) throw error;
      reading = { kind: 'unsettled', why: error.message };
    }
    done.push({ reading, exchanges: exchanges.slice(-mostShown).map(show) });
    await items.cleanUp();
    if (reading.kind === 'not-asked') return reading;
  }
  return tallyTrials(done);
}

/** Deletes items if DELETE is declared, the last one first. */
export async function deleteItems(
  items: readonly ProbeItem[],
  input: Omit<ProbeSessionInput, 'operation' | 'form' | 'settled' | 'known'>,
): Promise<void> {
  const [operation] = input.contract.operations;
  if (operation === undefined || items.length === 0) return;
  const session = { ...input, operation, form: undefined, settled: new Map(), known: new Map() };
  const own = createProbeItems(session, createProbeSession);
  items.forEach(own.note);
  await own.cleanUp();
}

interface Trial {
  readonly reading: ProbeResult<JsonValue>;
  readonly exchanges: readonly LearntExchange[];
}

/** Combines the results of all trials of a probe. A value counts only if no two trials differ. */
function tallyTrials(trials: readonly Trial[]): LearntOutcome {
  const answers: { readonly answer: JsonValue; seen: number; readonly first: Trial }[] = [];
  for (const trial of trials) {
    if (trial.reading.kind === 'answer') {
      const { answer } = trial.reading;
      const same = answers.find((each) => jsonEqual(each.answer, answer));
      if (same === undefined) {
        answers.push({ answer, seen: 1, first: trial });
      } else {
        same.seen += 1;
      }
    }
  }
  const [only, ...others] = answers;
  if (only === undefined) {
    const [first] = trials;
    return first === undefined || first.reading.kind === 'answer'
      ? { kind: 'unsettled', why: 'it was not asked' }
      : first.reading;
  }
  if (others.length > 0) {
    const counts = answers.map(({ answer, seen }) => ({ answer, seen }));
    return { kind: 'contradictory', answers: counts, trials: trials.length };
  }
  const { reading, exchanges } = only.first;
  return {
    kind: 'settled',
    answer: only.answer,
    alike: reading.kind === 'answer' ? (reading.alike ?? []) : [],
    seen: only.seen,
    trials: trials.length,
    exchanges,
  };
}

/** The result of a search for a plain request that a service accepts. */
export interface FoundSample {
  /** Undefined if the operation accepts no JSON object. */
  readonly form: SampleForm | undefined;
  readonly isAccepted: boolean;
  /** The status of the first plain request; undefined if it got no response. */
  readonly status: number | undefined;
  readonly mediaType: string | undefined;
  /** The Location of that response (RFC 9110 §10.2.2). */
  readonly location: string | undefined;
}

/** Statuses that do not change with another body. */
const beforeBody: readonly (number | undefined)[] = [401, 403, 404, 405, 407, undefined];

/** Sends plain requests in several forms until one is accepted. A service may have more constraints than a document. */
export async function findSample(
  input: Omit<ProbeSessionInput, 'form' | 'settled' | 'known'>,
): Promise<FoundSample> {
  const { body } = plainRequest(input.operation);
  const forms = body.kind === 'body' ? sampleForms(body.body) : [];
  let first: ProbeExchange | undefined;
  for (const form of forms.length === 0 ? [undefined] : forms) {
    const session = { ...input, form, settled: new Map(), known: new Map() };
    const items = createProbeItems(session, createProbeSession);
    const probeSession = createProbeSession({ ...session, items });
    const answered = await sendSample(probeSession);
    first ??= answered;
    if (answered?.isAccepted === true) return toSample(form, answered);
    if (beforeBody.includes(answered?.status)) break;
  }
  return toSample(forms[0], first);
}

function toSample(form: SampleForm | undefined, answered: ProbeExchange | undefined): FoundSample {
  return {
    form,
    isAccepted: answered?.isAccepted === true,
    status: answered?.status,
    mediaType: answered?.mediaType,
    location: answered && headerValue(answered.headers, 'location'),
  };
}

/** Returns undefined if there was no response. */
async function sendSample(probeSession: ProbeSession): Promise<ProbeExchange | undefined> {
  try {
    return await probeSession.send({});
  } catch (error) {
    if (error instanceof Unanswered) return undefined;
    throw error;
  }
}

const credentialCases: Readonly<Record<NonNullable<ProbeRequest['credentials']>, CredentialCase>> = {
  good: { kind: 'good' },
  missing: { kind: 'none' },
  'other-scheme': { kind: 'other-scheme', scheme: 'Token' },
  'unknown-token': { kind: 'wrong-token' },
};

function createKeys({ operation, allocator }: ProbeSessionInput) {
  const serials = new Map<number, number>();
  const style = keyStyle(operation);
  const write = (serial: number, offset: string): string =>
    style === 'number' ? String(BigInt(serial) + BigInt(offset)) : keyText(serial, plainKey, style);
  return {
    isBound: (slot: number): boolean => serials.has(slot),
    /** Gives a slot another id. A near one has the same length, which bodies of a given length need. */
    bindAgain: (slot: number) => serials.set(slot, allocator.next()),
    /** Returns the JSON text of an id that was never sent. */
    text: ({ slot, offset = '0' }: ProbeKey): string => {
      const serial = serials.get(slot) ?? allocator.next();
      serials.set(slot, serial);
      return write(serial, offset);
    },
    /** Returns the JSON text of an id that is not sent. */
    anyText: ({ offset = '0' }: ProbeKey): string => write(allocator.range[0], offset),
  };
}

function join(pieces: readonly ProbePiece[], keys: (key: ProbeKey) => string): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : keys(piece))).join('');
}

function jsonBody(operation: Operation): PlainBody | undefined {
  const { body } = plainRequest(operation);
  return body.kind === 'body' && body.body.schema !== undefined ? body.body : undefined;
}

/** Creates the interface of one trial of a probe, with new ids. */
function createProbeSession(input: ProbeSessionInput & { readonly items: ProbeItems }): ProbeSession {
  const { contract, operation, sender, allocator, form, known, keyTrust } = input;
  const keys = createKeys(input);
  const plain = jsonBody(operation);
  let ownSlots = 0;

  const sample: ProbeSession['sample'] = (slot = 0) => form?.(allocator.next(), slot);

  /** Returns the pieces of the body, with a new id if the probe names none; undefined keeps the plain body. */
  function piecesOf(request: ProbeRequest): readonly ProbePiece[] | undefined {
    if ('body' in request) return request.body;
    ownSlots -= 1;
    const members = sample(ownSlots);
    return members === undefined ? undefined : writeBody(members);
  }

  const credentialsOf = ({ user }: ProbeRequest): SessionCredentials =>
    (user === undefined ? undefined : input.otherUser) ?? input.credentials;

  function render(request: ProbeRequest, pieces: readonly ProbePiece[] | undefined): HttpRequest {
    const body = pieces === undefined ? undefined : [join(pieces, keys.text)];
    const match = request.ifMatch === undefined ? undefined : findIfMatch(operation);
    const made = buildRequest(operation, {
      ...(body === undefined && !('body' in request) ? {} : { body }),
      ...('contentType' in request ? { contentType: request.contentType } : {}),
      ...(request.accept === undefined ? {} : { headers: [['Accept', request.accept]] }),
      credentials: credentialCases[request.credentials ?? 'good'],
      parameters: new Map(match === undefined ? [] : [[match, request.ifMatch]]),
    });
    const query = made.target.slice(made.target.split('?', 1).join('').length);
    const path = request.path === undefined ? made.target : `${request.path}${query}`;
    const target = withQuery(path, request.query ?? []);
    return renderRequest({
      request: { ...made, method: request.method ?? made.method, target: request.target ?? target },
      keys: ({ slot }) => keys.text({ slot }),
      operation,
      given: credentialsOf(request).given(),
      draw: () => allocator.next(),
    });
  }

  /** Returns the slots of a body if all its ids are new; none if one of its ids was sent before. */
  function freshSlots(pieces: readonly ProbePiece[] = []): readonly number[] {
    const slots = pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.slot]));
    return slots.some((slot) => keys.isBound(slot)) ? [] : slots;
  }

  /** Sends a request, and once more if the service rejects credentials that the provider can renew. */
  async function sendRenewing(
    request: ProbeRequest,
    pieces: readonly ProbePiece[] | undefined,
    waits: boolean,
  ): Promise<Exchange> {
    const isGood = (request.credentials ?? 'good') === 'good';
    const credentials = credentialsOf(request);
    for (let isRenewed = false; ; isRenewed = true) {
      await credentials.load();
      const used = credentials.given();
      const exchange = await sender.send(render(request, pieces), { waits });
      input.onExchange(exchange);
      const isRejected = isGood && credentials.reject(exchange.answer, { used, operation });
      if (isRenewed || !isRejected) return exchange;
    }
  }

  return {
    contract,
    operation,
    key:
      plain?.key === undefined ? undefined : { property: plain.key.property, isNumber: plain.key.isNumber },
    sample,
    isValid(body) {
      const value = parseJsonValue(join(body, keys.anyText));
      return value !== undefined && judgeValue(plain?.schema, value) === 'valid';
    },
    async send(request, options): Promise<ProbeExchange> {
      // A guard against guessing may answer 429 to bad credentials. That is the response to them.
      const { waits } = options ?? { waits: (request.credentials ?? 'good') === 'good' };
      const pieces = piecesOf(request);
      const fresh = freshSlots(pieces);
      const isRetried = request.credentials === undefined && fresh.length > 0;
      for (let tried = 0; ; tried += 1) {
        const exchange = await sendRenewing(request, pieces, waits);
        const read = toProbeExchange(exchange);
        if (!isRetried || !isRefused(read) || tried >= keyTrust.further) {
          keyTrust.learn({ wasRefused: tried > 0, isAccepted: read.isAccepted });
          return read;
        }
        fresh.forEach((slot) => keys.bindAgain(slot));
      }
    },
    items: input.items,
    settled: (id) => input.settled.get(id),
    async once(name, find) {
      if (!known.has(name)) {
        known.set(name, await find());
      }
      // `as`: the same probe found it under the same name.
      return known.get(name) as Awaited<ReturnType<typeof find>>;
    },
    clock: sender.clock,
    rest: sender.sleep,
  };
}

/** A longer line is not kept. It would contain a body that white space makes long. */
const longestLine = 1_000;

/** Returns an exchange as evidence without secrets. The first secret is the token. */
export function showExchange(
  { request, answer }: Exchange,
  { baseUrl, secrets }: { readonly baseUrl: string; readonly secrets: readonly string[] },
): LearntExchange {
  const isShort = (request.body?.length ?? 0) < longestLine;
  const curl = isShort ? toCurl({ request, baseUrl, secrets }) : '';
  return {
    request: redactText(`${request.method} ${request.target}`, secrets),
    status: answer.kind === 'response' ? answer.response.status : 0,
    ...(isShort && curl.length <= longestLine ? { curl } : {}),
  };
}
