import type { Cases } from '../src/arbitrary/cases.ts';
import type { RequestCase } from '../src/arbitrary/request-case.ts';
import type { Judged } from '../src/check/judged.ts';
import type { TraceCheck } from '../src/check/trace-check.ts';
import type { Operation } from '../src/contract/operation.ts';
import type { Property } from '../src/runner/suite.ts';
import type { Session } from '../src/runner/session.ts';

/** Requests that are sent one after the other, in groups; a group has its keys in common. */
export type Sequence = readonly (readonly RequestCase[])[];

async function sendSequence(sequence: Sequence, session: Session): Promise<readonly Judged[]> {
  const trace: Judged[] = [];
  for (const group of sequence) {
    const keys = session.bindKeys();
    for (const request of group) {
      trace.push(await session.send(request, keys));
    }
  }
  return trace;
}

/**
 * A property whose cases are requests that follow each other.
 *
 * @param input.name - kebab-case; the id of the property is the operation's and this
 * @returns none where there are no cases
 */
export function sequenceProperty(input: {
  readonly operation: Pick<Operation, 'id'>;
  readonly name: string;
  readonly title: string;
  readonly cases: Cases<Sequence>;
  readonly traceChecks: readonly TraceCheck[];
}): readonly Property[] {
  const { operation, name, title, cases, traceChecks } = input;
  if (cases.examples.length === 0 && cases.arbitrary === undefined) {
    return [];
  }
  return [
    {
      id: `${operation.id}.${name}`,
      title,
      examples: cases.examples,
      arbitrary: cases.arbitrary,
      // `as`: a property is only ever run on the cases that its own examples and arbitrary make.
      run: async (testCase, session) => sendSequence(testCase as Sequence, session),
      traceChecks,
    },
  ];
}
