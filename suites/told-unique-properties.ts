import fc from 'fast-check';
import { buildRequest } from '../src/arbitrary/build-request.ts';
import { joinParts } from '../src/arbitrary/join-parts.ts';
import { plainTokens } from '../src/arbitrary/plain-tokens.ts';
import { telltaleBodies } from '../src/arbitrary/telltale-bodies.ts';
import { checkUniqueProperties } from '../src/check/drift/unique-properties.ts';
import { isTelltale } from '../src/check/telltale-texts.ts';
import { isJsonObject } from '../src/json/is-json-object.ts';
import type { JsonObject } from '../src/json/json-value.ts';
import type { Property } from '../src/runner/suite.ts';
import type { Sequence } from './sequence.ts';
import { sendSequence } from './send-sequence.ts';
import type { ToldOperation } from './told-operation.ts';

/** How often a value is given again: a live store may hold one of the keys that it comes with. */
const repeats = 3;
const mostProperties = 5;
/** Bodies without the property, where it may be left out, are of no use as the first. */
const spare = 12;
/** What a case counts for, so that a run has a few of each property. */
const countsAs = 30;

/** A create, creates of other keys that have one of its values, and one that has nothing in common with it. */
export function toldUniqueProperties({ operation, body, told }: ToldOperation): readonly Property[] {
  const lists = body === undefined ? undefined : telltaleBodies(body, repeats + spare);
  if (
    told['unique-properties'] === undefined ||
    operation.kind.kind !== 'create' ||
    body === undefined ||
    lists === undefined ||
    !isJsonObject(body.fullest)
  ) {
    return [];
  }
  const { fullest, key } = body;
  const names = Object.keys(fullest).filter(
    (name) => name !== key?.property && typeof fullest[name] === 'string',
  );
  return names.slice(0, mostProperties).map((name, index): Property => {
    const arbitrary = lists.map((made): Sequence => {
      const [first = fullest] = made.filter((one) => Object.hasOwn(one, name));
      const others = made.filter((one) => one !== first).slice(0, repeats + 1);
      const again = others.map((other, place) =>
        place < repeats ? { ...other, [name]: first[name] ?? null } : other,
      );
      return [first, ...again].map((value: JsonObject) => [
        buildRequest(operation, { body: joinParts(plainTokens(body, { ...fullest, ...value })) }),
      ]);
    });
    return {
      // Names of properties come in any case.
      id: `${operation.id}.unique-${index + 1}`,
      title: `Of /${name} a value that another resource has is refused or taken, as the policy says`,
      // A live store may have it since the last run; the random ones behind it are new each time.
      examples: fc.sample(arbitrary, { seed: 1, numRuns: 1 }),
      arbitrary,
      countsAs,
      mostRequests: repeats + 2,
      // `as`: a property is only ever given the cases that its own arbitrary makes.
      run: async (testCase, session) => sendSequence(testCase as Sequence, session),
      traceChecks: [checkUniqueProperties],
      whyUnjudged([sent]) {
        const value = sent?.request.body.kind === 'valid' ? sent.request.body.value : undefined;
        const text = isJsonObject(value) ? value[name] : undefined;
        return typeof text === 'string' && isTelltale(text)
          ? undefined
          : 'its schema takes no text that could be told from others';
      },
    };
  });
}
