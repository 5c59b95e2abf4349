import type { Exchange } from '../http/exchange.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { Probe, ProbeReading } from '../policy/probe.ts';
import { probes } from '../policy/probes.ts';
import type { QuestionId } from '../policy/question-id.ts';
import { Unanswered } from '../policy/unanswered.ts';
import { type AskerInput, createAsker } from './create-asker.ts';
import type { LearntExchange, LearntOutcome } from './learnt.ts';
import { OutOfRequests } from './out-of-requests.ts';
import { tallyTrials, type Trial } from './tally-trials.ts';

/** As many exchanges show how an answer came about. */
const mostShown = 2;

async function runTrial(
  probe: Probe<JsonValue>,
  input: AskerInput,
): Promise<ProbeReading<JsonValue> | undefined> {
  try {
    return await probe.ask(createAsker(input));
  } catch (error) {
    if (error instanceof Unanswered) {
      return { kind: 'unsettled', why: error.message };
    }
    if (error instanceof OutOfRequests) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Asks an operation a question, several times.
 *
 * @param input.show - makes evidence of an exchange
 */
export async function askQuestion(
  input: Omit<AskerInput, 'known'> & {
    readonly id: QuestionId;
    readonly trials: number;
    readonly show: (exchange: Exchange) => LearntExchange;
  },
): Promise<LearntOutcome> {
  const { id, trials, show } = input;
  // `as`: answers are JSON, as the schemas of the questions say.
  const probe = probes[id] as unknown as Probe<JsonValue>;
  const known = new Map<string, unknown>();
  const done: Trial[] = [];
  for (let count = 0; count < trials; count += 1) {
    const exchanges: Exchange[] = [];
    const onExchange = (exchange: Exchange): void => {
      exchanges.push(exchange);
      input.onExchange(exchange);
    };
    const reading = await runTrial(probe, { ...input, known, onExchange });
    if (reading === undefined) {
      return { kind: 'unsettled', why: 'as many requests were sent as may be' };
    }
    done.push({ reading, exchanges: exchanges.slice(-mostShown).map(show) });
    if (reading.kind === 'not-asked') {
      return reading;
    }
  }
  return tallyTrials(done);
}
