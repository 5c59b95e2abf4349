import { ClocheError } from '../../errors/cloche-error.ts';
import { stringifyJson } from '../../json/print.ts';
import type { ActiveFaultRule, Fault, FaultRule } from '../../mock/faults/fault.ts';
import { parseFaultField } from '../../mock/faults/parse-fault.ts';
import { readJsonArgument, tell } from './client.ts';
import type { ActsOf, faultsGroup } from './commands.ts';
import { invalidOption } from '../process.ts';

/** The actions of `cloche faults`. */
export const faultsActions: ActsOf<typeof faultsGroup> = {
  async list(client) {
    const { value, shown } = await client.call('listFaults');
    return {
      value,
      lines: shown.faults.map(describeFault),
      notes: shown.faults.length === 0 ? ['There are no rules: nothing goes wrong.'] : [],
    };
  },
  async add(client, { fault: words, body: text, id, operation, method, path, times, share }) {
    const fault = await withBody(readFault(words), text);
    const members = { id, operation, method, path, times, share, ...fault };
    const said = Object.entries(members).filter(([, member]) => member !== undefined);
    // `as`: the members are those of a rule.
    const rule = Object.fromEntries(said) as unknown as FaultRule;
    const { value, shown } = await client.call('createFault', {}, rule);
    return { value, lines: [describeFault(shown)] };
  },
  delete: (client, { id }) => tell(client.call('deleteFault', { id }), `The rule "${id}" is gone.`),
  clear: (client) => tell(client.call('clearFaults'), 'There are no rules any more: nothing goes wrong.'),
};

/** Describes the effect of a rule in the syntax of `faults add`. */
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

function count(number: number): string {
  return number === 1 ? '1 request' : `${number} requests`;
}

/** Renders a rule as a line: `fault-1  createOrder: status=503, for the next 3 requests (5 requests, used 3 times)`. */
function describeFault(rule: ActiveFaultRule): string {
  const { id, times, share, enabled, seen, applied, operation, method, path } = rule;
  const subject = [operation, method, path].filter((part) => part !== undefined).join(' ');
  const which = [
    ...(times === undefined ? [] : [`for the next ${count(times)}`]),
    ...(share === undefined || share === 1 ? [] : [`a share of ${share}`]),
    ...(enabled ? [] : ['switched off']),
  ].map((words) => `, ${words}`);
  return `${id}  ${subject || 'every request'}: ${describeEffect(rule)}${which.join('')} (${count(seen)}, used ${applied} ${applied === 1 ? 'time' : 'times'})`;
}

function readFault(words: readonly string[]): Fault {
  const read = parseFaultField(words.join(', '));
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
    throw invalidOption(
      '--body',
      'there is no answer that could hold it',
      'Say which answer with status=CODE',
    );
  }
  return { ...fault, answer: { ...fault.answer, body: await readJsonArgument(body) } };
}
