import { valuePlaces } from '../arbitrary/edit-cases.ts';
import { plainRequest } from '../arbitrary/request.ts';
import { valueCost } from '../arbitrary/shrink-value.ts';
import { plainBody } from '../check/describe.ts';
import type { Finding } from '../check/finding.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import { resolvePointer } from '../json/pointer.ts';

/** The maximum number of places to name: more are not helpful. */
const mostPlaces = 3;

const cost = (value: Parameters<typeof valueCost>[0]): number => valueCost(value, () => false);

/**
 * Names the places of a plain body that a finding requires: properties that the smallest plain body does not have, and
 * values that are less simple than there. The request has already been shrunk.
 */
export function namePlaces(finding: Finding, { request, operation }: CheckedExchange): Finding {
  const { body } = request;
  const plain = operation && plainRequest(operation).body;
  if (body.kind !== 'valid' || plain?.kind !== 'body' || !finding.expected.includes(plainBody))
    return finding;
  const { smallest, key } = plain.body;
  const places: string[] = [];
  for (const { at, value } of valuePlaces(body.value)) {
    const usual = resolvePointer(smallest, at);
    const isLeaf = typeof value !== 'object' || value === null;
    const isNeeded = usual === undefined || (isLeaf && cost(value) > cost(usual));
    const isNamed = at === key?.pointer || places.some((place) => at.startsWith(`${place}/`));
    if (isNeeded && !isNamed) places.push(at);
  }
  if (places.length === 0 || places.length > mostPlaces) return finding;
  const words = `${plainBody} with ${places.join(' and ')}`;
  return { ...finding, expected: finding.expected.replace(plainBody, () => words) };
}
