import { plainRequest } from '../arbitrary/request.ts';
import { toCurl } from '../http/curl.ts';
import { type Exchange, headerValue } from '../http/message.ts';
import { redactText } from '../http/redact.ts';
import { jsonEqual, type JsonValue } from '../json/value.ts';
import {
  type Probe,
  type ProbeExchange,
  type ProbeResult,
  type ProbeSession,
  type BehaviourId,
  Unanswered,
} from '../policy/behaviour.ts';
import { behaviours } from '../policy/behaviours/index.ts';
import type { LearntExchange, LearntOutcome } from './events.ts';
import { LearnSession, type ProbeInput } from './probe-session.ts';
import { type SampleForm, sampleForms } from './sample.ts';
import { OutOfRequests } from './service.ts';

/** The maximum number of exchanges in the evidence of a value. */
const mostShown = 2;

/** Probes a behaviour of an operation several times; `show` converts an exchange to evidence. */
export async function probeBehaviour(
  input: Omit<ProbeInput, 'known'> & {
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
    const session = new LearnSession({ ...input, known, onExchange });
    try {
      reading = await probe.ask(session);
    } catch (error) {
      if (error instanceof OutOfRequests) {
        return { kind: 'unsettled', why: error.message };
      }
      if (!(error instanceof Unanswered)) throw error;
      reading = { kind: 'unsettled', why: error.message };
    }
    done.push({ reading, exchanges: exchanges.slice(-mostShown).map(show) });
    await session.cleanUp();
    if (reading.kind === 'not-asked') return reading;
  }
  return tallyTrials(done);
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
  input: Omit<ProbeInput, 'form' | 'settled' | 'known'>,
): Promise<FoundSample> {
  const { body } = plainRequest(input.operation);
  const forms = body.kind === 'body' ? sampleForms(body.body) : [];
  let first: ProbeExchange | undefined;
  for (const form of forms.length === 0 ? [undefined] : forms) {
    const session = new LearnSession({ ...input, form, settled: new Map(), known: new Map() });
    const answered = await sendSample(session);
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
