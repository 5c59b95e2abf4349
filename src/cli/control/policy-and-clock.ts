import { ClocheError } from '../../errors/cloche-error.ts';
import type { BodyOf, ShownClock } from '../../mock/control/calls.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';
import type { ActionResult, Called, MockClient } from './client.ts';
import type { ActsOf, clockGroup, policyGroup } from './commands.ts';

/** The actions of `cloche clock`. */
export const clockActions: ActsOf<typeof clockGroup> = {
  show: async (client) => showTime(await client.call('getClock')),
  set: async (client, { time }) => showTime(await client.call('putClock', {}, { now: toTime(time) })),
  advance: async (client, { duration }) =>
    showTime(await client.call('advanceClock', {}, { ms: parseDuration(duration) })),
  freeze: async (client) => showTime(await client.call('putClock', {}, { frozen: true })),
  resume: async (client) => showTime(await client.call('putClock', {}, { frozen: false })),
};

function showTime({ value, shown }: Called<ShownClock>): ActionResult {
  return { value, lines: [`${shown.now}${shown.frozen ? ', and it stands still' : ''}`] };
}

/** Parses a time. A date alone is midnight UTC; a time of day without a zone is local (ECMA-262 §21.4.1.32). */
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
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
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

/** The actions of `cloche policy`. */
export const policyActions: ActsOf<typeof policyGroup> = {
  show: showPolicy,
  async set(client, { answer }) {
    const { parseAnswers } = await import('../contract.ts');
    const { operations = {}, ...answers } = parseAnswers(answer);
    // `as`: policy values are JSON, according to their schemas.
    const change = { answers, operations } as unknown as BodyOf<'patchPolicy'>;
    await client.call('patchPolicy', {}, change);
    return showPolicy(client);
  },
  async reset(client) {
    await client.call('deletePolicy');
    return showPolicy(client);
  },
};

async function showPolicy(client: MockClient): Promise<ActionResult> {
  const { value, shown } = await client.call('getPolicy');
  const { answers, operations } = shown;
  // The commands of the clock do not need this code.
  const { describeValue } = await import('../../policy/policy.ts');
  // `as`: a value comes with the id of its behaviour.
  const describe = (id: string, answer: unknown): string => describeValue(id as BehaviourId, answer as never);
  const width = Math.max(0, ...answers.map(({ id }) => id.length));
  const ofService = answers.map(({ id, answer, decidedBy }) => {
    const mark = { default: ' ', policy: '*', document: '=' }[decidedBy];
    return `${mark} ${id.padEnd(width)}  ${describe(id, answer)}`;
  });
  const ofOperations = Object.entries(operations).flatMap(([operation, own]) =>
    Object.entries(own).map(
      ([id, answer]) => `* ${id.padEnd(width)}  ${describe(id, answer)} (${operation})`,
    ),
  );
  return {
    value,
    lines: [...ofService, ...ofOperations],
    notes: ['* set by a policy, = specified by the document, the others by default'],
  };
}
