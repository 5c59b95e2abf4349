import { ClocheError } from '../../../errors/cloche-error.ts';
import type { JsonObject, JsonValue } from '../../../json/json-value.ts';
import type { ActiveFaultRule, Fault } from '../../../mock/faults/fault-rule.ts';
import { parseFaultField } from '../../../mock/faults/parse-fault-field.ts';
import { checkNumber } from '../../check-number.ts';
import type { Action, ActionArguments } from '../action.ts';
import { readJsonArgument } from '../read-json-argument.ts';
import { describeFault } from './describe-fault.ts';

function readFault(words: readonly string[]): Fault {
  const field = words.join(', ');
  const read = parseFaultField(field);
  if (read.kind === 'fault') {
    return read.fault;
  }
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'read the fault',
    subject: words.join(' '),
    reason: read.reason,
    remedy: 'Write it as delay=200..400 status=503',
  });
}

async function withBody(fault: Fault, body: string | undefined): Promise<Fault> {
  if (body === undefined) {
    return fault;
  }
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
