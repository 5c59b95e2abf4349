import { ClocheError } from '../../errors/cloche-error.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { QuestionId } from '../../policy/question.ts';
import type { Answers } from '../../policy/questions/index.ts';
import type { Action, ActionResult, MockClient } from './client.ts';

/** What time it is at a mock, as its control interface says it. */
function describeTime(value: JsonValue | undefined): ActionResult {
  // `as`: the document of the control interface says so.
  const { now, frozen } = value as unknown as { readonly now: string; readonly frozen: boolean };
  return { value, lines: [`${now}${frozen ? ', and it stands still' : ''}`] };
}

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Reads a duration: `500ms`, `90s`, `1.5h`.
 *
 * @returns milliseconds, whole ones
 * @throws ClocheError OPTION_INVALID where it is none
 */
function parseDuration(text: string): number {
  const [, number = '', unit = ''] = /^(-?\d+(?:\.\d+)?)(ms|[smhd])$/u.exec(text.trim()) ?? [];
  const scale = units[unit];
  if (scale !== undefined) return Math.round(Number(number) * scale);
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'read the duration',
    subject: text,
    reason: 'it is no number with a unit behind it',
    remedy: 'Write it as 500ms, 90s, 5m, 2h or 1d',
  });
}

/** `cloche clock advance` */
export const advanceClock: Action = {
  options: { duration: { describe: 'How much later: 500ms, 90s, 5m, 2h, 1d' } },
  act: async (client, { required }) =>
    describeTime(
      await client.call({
        method: 'POST',
        path: '/clock/advance',
        body: { ms: parseDuration(required('duration')) },
      }),
    ),
};

/** `cloche clock freeze` */
export const freezeClock: Action = {
  act: async (client) =>
    describeTime(await client.call({ method: 'PUT', path: '/clock', body: { frozen: true } })),
};

/** `cloche clock resume` */
export const resumeClock: Action = {
  act: async (client) =>
    describeTime(await client.call({ method: 'PUT', path: '/clock', body: { frozen: false } })),
};

/** A day alone begins at midnight UTC; with the time of the day and no zone, that of this machine counts (ECMA-262 §21.4.1.32). */
function toTime(text: string): string {
  const time = new Date(text);
  if (/^\d{4}-\d\d-\d\d/u.test(text) && !Number.isNaN(time.getTime())) return time.toISOString();
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'read the time',
    subject: text,
    reason: 'it is no date and time that a calendar has',
    remedy: 'Write it as 2026-03-01T08:00:00Z',
  });
}

/** `cloche clock set` */
export const setClock: Action = {
  options: { time: { describe: 'A date, or a date with its time' } },
  act: async (client, { required }) =>
    describeTime(
      await client.call({ method: 'PUT', path: '/clock', body: { now: toTime(required('time')) } }),
    ),
};

/** `cloche clock show` */
export const showClock: Action = {
  act: async (client) => describeTime(await client.call({ method: 'GET', path: '/clock' })),
};

/** How the control interface shows a policy. */
interface ShownPolicy {
  readonly answers: readonly {
    readonly id: QuestionId;
    readonly answer: Answers[QuestionId];
    readonly decidedBy: 'default' | 'policy' | 'document';
  }[];
  readonly operations: Readonly<Record<string, Partial<Answers>>>;
}

/** Shows the policy of a mock as it is now. */
export async function showPolicyOf(client: MockClient): Promise<ActionResult> {
  const value = await client.call({ method: 'GET', path: '/policy' });
  // `as`: the document of the control interface says so.
  const { answers, operations } = value as unknown as ShownPolicy;
  // The commands of the clock need none of the questions.
  const { describeAnswer } = await import('../../policy/policy.ts');
  // `as`: an answer comes with the question that it answers.
  const describe = (id: QuestionId, answer: unknown): string => describeAnswer(id, answer as never);
  const width = Math.max(0, ...answers.map(({ id }) => id.length));
  const ofOperations = Object.entries(operations).flatMap(([operation, own]) =>
    Object.entries(own).map(
      // `as`: the names of answers are those of questions.
      ([id, answer]) => `  ${id.padEnd(width)}  ${describe(id as QuestionId, answer)} (${operation})`,
    ),
  );
  return {
    value,
    lines: [
      ...answers.map(({ id, answer, decidedBy }) => {
        const mark = { default: ' ', policy: '*', document: '=' }[decidedBy];
        return `${mark} ${id.padEnd(width)}  ${describe(id, answer)}`;
      }),
      ...ofOperations.map((line) => line.replace(/^ /u, '*')),
    ],
    notes: ['* as it was told, = as the document says, the others by default'],
  };
}

/** `cloche policy show` */
export const showPolicy: Action = { act: showPolicyOf };

/** `cloche policy reset` */
export const resetPolicy: Action = {
  async act(client) {
    await client.call({ method: 'DELETE', path: '/policy' });
    return showPolicyOf(client);
  },
};

/** `cloche policy set` */
export const setPolicy: Action = {
  options: { answer: { describe: 'QUESTION=ANSWER or OPERATION:QUESTION=ANSWER; several go together' } },
  async act(client, { list }) {
    const { parseAnswers } = await import('../contract.ts');
    const { operations = {}, ...answers } = parseAnswers(list('answer'));
    // `as`: answers are JSON, as their schemas say.
    const body = { answers, operations } as unknown as JsonObject;
    await client.call({ method: 'PATCH', path: '/policy', body });
    return showPolicyOf(client);
  },
};
