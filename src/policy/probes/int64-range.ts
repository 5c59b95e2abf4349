import { isJsonObject } from '../../json/is-json-object.ts';
import { schemaProperties } from '../../contract/schema-properties.ts';
import { schemasInPlace } from '../../contract/schemas-in-place.ts';
import type { Int64RangeAnswer } from '../int64-range.ts';
import type { Asker, Probe, ProbePiece, ProbeReading } from '../probe.ts';
import { isRefused } from './is-refused.ts';
import { notAsked } from './not-asked.ts';
import { unsettled } from './unsettled.ts';
import { withMember } from './with-member.ts';
import { writeBody } from './write-body.ts';

/** One more than the largest integer of each format, and so many noughts that every key with them is out of it. */
const excesses: Readonly<Record<string, { readonly next: string; readonly noughts: string }>> = {
  int32: { next: '2147483648', noughts: '0'.repeat(10) },
  int64: { next: '9223372036854775808', noughts: '0'.repeat(19) },
};

interface Bounded {
  readonly name: string;
  /**
   * Values out of the range of its format, the nearest first. Of a key there is a second one, further out: who rounds
   * numbers takes the nearest ones for one key, and refuses each but the first as repeated.
   */
  readonly values: readonly (readonly ProbePiece[])[];
}

/** A property of the sample whose format alone bounds it. */
function findBounded(asker: Asker): Bounded | undefined {
  const schema = asker.operation.requestBody?.media.find(({ isJson }) => isJson)?.schema?.schema;
  const names = new Set((asker.sample() ?? []).map(({ name }) => name));
  for (const [name, property] of schemaProperties(schema)) {
    const parts = schemasInPlace(schema ?? true, property.schema);
    const excess = parts
      .map(({ format }) => (typeof format === 'string' ? excesses[format] : undefined))
      .find(Boolean);
    const isBounded = parts.some((part) =>
      ['maximum', 'exclusiveMaximum', 'enum', 'const', 'multipleOf'].some((keyword) => keyword in part),
    );
    if (names.has(name) && excess !== undefined && !isBounded) {
      const isKey = name === asker.key?.property;
      const { next, noughts } = excess;
      return { name, values: isKey ? [[{ slot: 0, offset: next }], [{ slot: 1 }, noughts]] : [[next]] };
    }
  }
  return undefined;
}

function isBoundedBelow(asker: Asker, name: string): boolean {
  const constraints = asker.settled('constraints');
  const fragment = isJsonObject(constraints) ? constraints[name] : undefined;
  return isJsonObject(fragment) && ('maximum' in fragment || 'exclusiveMaximum' in fragment);
}

async function ask(asker: Asker): Promise<ProbeReading<Int64RangeAnswer>> {
  const bounded = findBounded(asker);
  if (bounded === undefined) {
    return notAsked('it takes no integer of a format with a range');
  }
  if (isBoundedBelow(asker, bounded.name)) {
    return { kind: 'masked', by: 'constraints', why: `"${bounded.name}" is bounded within the range` };
  }
  const members = asker.sample() ?? [];
  for (const value of bounded.values) {
    const exchange = await asker.send({ body: writeBody(withMember(members, bounded.name, value)) });
    if (exchange.isAccepted) {
      return { kind: 'answer', answer: 'accept' };
    }
    if (!isRefused(exchange)) {
      return unsettled(`an integer out of the range is answered ${exchange.status}`);
    }
  }
  return { kind: 'answer', answer: 'refuse' };
}

/** Asks with an integer just past the end of its format, and with a key far past it. */
export const int64RangeProbe: Probe<Int64RangeAnswer> = { mostRequests: 2, needsTaken: true, ask };
