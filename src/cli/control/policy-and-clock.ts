import { ClocheError } from '../../errors/cloche-error.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Answers, QuestionId } from '../../policy/question.ts';
import type { ActionResult, MockClient } from './client.ts';
import type { ActsOf, clockGroup, policyGroup } from './commands.ts';

/** What `cloche clock` does. */
export const clockActions: ActsOf<typeof clockGroup> = {
  show: (client) => askTime(client, 'GET', '/clock'),
  set: async (client, { time }) => askTime(client, 'PUT', '/clock', { body: { now: toTime(time) } }),
  advance: async (client, { duration }) =>
    askTime(client, 'POST', '/clock/advance', { body: { ms: parseDuration(duration) } }),
  freeze: (client) => askTime(client, 'PUT', '/clock', { body: { frozen: true } }),
  resume: (client) => askTime(client, 'PUT', '/clock', { body: { frozen: false } }),
};

async function askTime(client: MockClient, ...call: Parameters<MockClient['call']>): Promise<ActionResult> {
  const { value, shown } = await client.call<{ now: string; frozen: boolean }>(...call);
  return { value, lines: [`${shown.now}${shown.frozen ? ', and it stands still' : ''}`] };
}

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

function parseDuration(text: string): number {
  const units = new Map([
    ['ms', 1],
    ['s', 1_000],
    ['m', 60_000],
    ['h', 3_600_000],
    ['d', 86_400_000],
  ]);
  const [, number = '', unit = ''] = /^(-?\d+(?:\.\d+)?)(ms|[smhd])$/u.exec(text.trim()) ?? [];
  const scale = units.get(unit);
  if (scale !== undefined) return Math.round(Number(number) * scale);
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'read the duration',
    subject: text,
    reason: 'it is no number with a unit behind it',
    remedy: 'Write it as 500ms, 90s, 5m, 2h or 1d',
  });
}

/** What `cloche policy` does. */
export const policyActions: ActsOf<typeof policyGroup> = {
  show: showPolicy,
  async set(client, { answer }) {
    const { parseAnswers } = await import('../contract.ts');
    const { operations = {}, ...answers } = parseAnswers(answer);
    // `as`: answers are JSON, as their schemas say.
    const body = { answers, operations } as unknown as JsonObject;
    await client.call('PATCH', '/policy', { body });
    return showPolicy(client);
  },
  async reset(client) {
    await client.call('DELETE', '/policy');
    return showPolicy(client);
  },
};

interface ShownPolicy {
  readonly answers: readonly {
    readonly id: QuestionId;
    readonly answer: Answers[QuestionId];
    readonly decidedBy: 'default' | 'policy' | 'document';
  }[];
  readonly operations: Readonly<Record<string, Partial<Answers>>>;
}

async function showPolicy(client: MockClient): Promise<ActionResult> {
  const { value, shown } = await client.call<ShownPolicy>('GET', '/policy');
  const { answers, operations } = shown;
  // The commands of the clock need none of the questions.
  const { describeAnswer } = await import('../../policy/policy.ts');
  // `as`: an answer comes with the question that it answers.
  const describe = (id: QuestionId, answer: unknown): string => describeAnswer(id, answer as never);
  const width = Math.max(0, ...answers.map(({ id }) => id.length));
  const ofService = answers.map(({ id, answer, decidedBy }) => {
    const mark = { default: ' ', policy: '*', document: '=' }[decidedBy];
    return `${mark} ${id.padEnd(width)}  ${describe(id, answer)}`;
  });
  const ofOperations = Object.entries(operations).flatMap(([operation, own]) =>
    Object.entries(own).map(
      // `as`: the names of answers are those of questions.
      ([id, answer]) => `* ${id.padEnd(width)}  ${describe(id as QuestionId, answer)} (${operation})`,
    ),
  );
  return {
    value,
    lines: [...ofService, ...ofOperations],
    notes: ['* set by a policy, = specified by the document, the others by default'],
  };
}
