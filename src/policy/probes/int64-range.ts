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

/** One more than the largest integer of each format. */
const excesses: Readonly<Record<string, string>> = {
  int32: '2147483648',
  int64: '9223372036854775808',
};

interface Bounded {
  readonly name: string;
  /** A value out of the range of its format. */
  readonly value: readonly ProbePiece[];
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
      return { name, value: isKey ? [{ slot: 0, offset: excess }] : [excess] };
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
  const exchange = await asker.send({ body: writeBody(withMember(members, bounded.name, bounded.value)) });
  if (isRefused(exchange)) {
    return { kind: 'answer', answer: 'refuse' };
  }
  return exchange.isAccepted
    ? { kind: 'answer', answer: 'accept' }
    : unsettled(`an integer out of the range is answered ${exchange.status}`);
}

/** Asks with an integer just past the end of its format. */
export const int64RangeProbe: Probe<Int64RangeAnswer> = { mostRequests: 1, needsTaken: true, ask };
