import { ClocheError } from '../../errors/cloche-error.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { ActiveFaultRule, Fault } from '../../mock/faults/fault.ts';
import { parseFaultField } from '../../mock/faults/parse-fault.ts';
import { checkNumber } from '../arguments.ts';
import { type Action, type ActionArguments, readJsonArgument } from './client.ts';

/** What a rule does, in the words that it is added with. */
function describeEffect({ delay, answer, connection }: ActiveFaultRule): string {
  return [
    ...(delay === undefined ? [] : [`delay=${typeof delay === 'number' ? delay : delay.join('..')}`]),
    ...(answer === undefined ? [] : [`status=${answer.status}`]),
    ...(answer?.example === undefined ? [] : [`example=${answer.example}`]),
    ...(answer?.retryAfter === undefined ? [] : [`retry-after=${answer.retryAfter}`]),
    ...(answer?.body === undefined ? [] : [`body=${stringifyJson(answer.body)}`]),
    ...(connection === undefined ? [] : [connection]),
  ].join(' ');
}

function describeSubject({ operation, method, path }: ActiveFaultRule): string {
  const named = [operation, method, path].filter((part) => part !== undefined);
  return named.length === 0 ? 'every request' : named.join(' ');
}

function count(number: number): string {
  return number === 1 ? '1 request' : `${number} requests`;
}

/** A rule as a line: `fault-1  createOrder: status=503, the next 3; 5 requests, 3 of them went wrong`. */
function describeFault(rule: ActiveFaultRule): string {
  const { id, times, share, enabled, seen, applied } = rule;
  const which = [
    ...(times === undefined ? [] : [`the next ${times}`]),
    ...(share === undefined || share === 1 ? [] : [`a share of ${share}`]),
    ...(enabled ? [] : ['switched off']),
  ].map((words) => `, ${words}`);
  return `${id}  ${describeSubject(rule)}: ${describeEffect(rule)}${which.join('')}; ${count(seen)} so far, ${applied} went wrong`;
}

function readFault(words: readonly string[]): Fault {
  const field = words.join(', ');
  const read = parseFaultField(field);
  if (read.kind === 'fault') return read.fault;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'read the fault',
    subject: words.join(' '),
    reason: read.reason,
    remedy: 'Write it as delay=200..400 status=503',
  });
}

async function withBody(fault: Fault, body: string | undefined): Promise<Fault> {
  if (body === undefined) return fault;
  if (fault.answer === undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: '--body',
      reason: 'there is no answer that could hold it',
      remedy: 'Say which answer with status=CODE',
    });
  }
  return { ...fault, answer: { ...fault.answer, body: await readJsonArgument(body) } };
}

function readShare({ text }: ActionArguments): number | undefined {
  const share = text('share');
  return share === undefined ? undefined : checkNumber('share', share, { from: 0, to: 1, whole: false });
}

/** `cloche faults add` */
export const addFault: Action = {
  options: {
    fault: {
      describe:
        'delay=MS or delay=FROM..TO, status=CODE, example=NAME, retry-after=SECONDS, drop, truncate; several go together',
    },
    operation: {
      type: 'string',
      requiresArg: true,
      describe: 'For this operation',
      defaultDescription: 'all',
    },
    method: { type: 'string', requiresArg: true, describe: 'For this method', defaultDescription: 'all' },
    path: {
      type: 'string',
      requiresArg: true,
      describe: 'For this path, as it is sent or as the document has it',
      defaultDescription: 'all',
    },
    times: { requiresArg: true, describe: 'Only the next so many', defaultDescription: 'all' },
    share: { requiresArg: true, describe: 'Only this share of them, 0 to 1; which ones, the seed decides' },
    body: {
      type: 'string',
      requiresArg: true,
      describe: 'With status: what the answer holds, as JSON, or a file with it',
    },
    id: {
      type: 'string',
      requiresArg: true,
      describe: 'What the rule is called; it takes the place of one of that name',
    },
  },
  async act(client, given) {
    const { text, list, whole } = given;
    const fault = await withBody(readFault(list('fault')), text('body'));
    const members = {
      id: text('id'),
      operation: text('operation'),
      method: text('method'),
      path: text('path'),
      times: whole('times'),
      share: readShare(given),
      ...fault,
    };
    const said = Object.entries(members).filter(([, value]) => value !== undefined);
    // `as`: what is left are texts, numbers and what a fault is made of, all of them JSON.
    const body = Object.fromEntries(said) as JsonObject;
    const value = await client.call({ method: 'POST', path: '/faults', body });
    // `as`: the document of the control interface says so.
    const rule = value as JsonValue as unknown as ActiveFaultRule;
    return { value, lines: [describeFault(rule)] };
  },
};

/** `cloche faults clear` */
export const clearFaults: Action = {
  async act(client) {
    await client.call({ method: 'DELETE', path: '/faults' });
    return { value: undefined, lines: ['There are no rules any more: nothing goes wrong.'] };
  },
};

/** `cloche faults delete` */
export const deleteFault: Action = {
  options: { id: { describe: 'Which rule, as list names it' } },
  async act(client, { required }) {
    const id = required('id');
    await client.call({ method: 'DELETE', path: `/faults/${encodeURIComponent(id)}` });
    return { value: undefined, lines: [`The rule "${id}" is gone.`] };
  },
};

/** `cloche faults list` */
export const listFaults: Action = {
  async act(client) {
    const value = await client.call({ method: 'GET', path: '/faults' });
    // `as`: the document of the control interface says so.
    const { faults } = value as unknown as { readonly faults: readonly ActiveFaultRule[] };
    return {
      value,
      lines: faults.map(describeFault),
      notes: faults.length === 0 ? ['There are no rules: nothing goes wrong.'] : [],
    };
  },
};
