import type { MediaTypeContract } from '../../contract/media-type-contract.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { RequestBody } from '../../contract/request-body.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { Policy } from '../../policy/policy.ts';
import { compileSchema, type SchemaValidator } from '../../schema/compile-schema.ts';
import { describeSchemaProblem } from '../../schema/describe-schema-problem.ts';
import type { SchemaProblem } from '../../schema/schema-problem.ts';
import type { SchemaReading } from '../../schema/schema-reading.ts';
import { declaredNames } from '../bodies/declared-names.ts';
import { shorten } from './shorten.ts';

/** Says what is wrong with the body of a request, as a sentence, or undefined where nothing is. */
export type BodyCheck = (value: JsonValue, exact: boolean, media: MediaTypeContract) => string | undefined;

/** More than this many problems make no sentence. */
const mostNamed = 3;

function toSentence(problems: readonly SchemaProblem[], value: JsonValue): string {
  const named = problems.slice(0, mostNamed).map((problem) => describeSchemaProblem({ problem, value }));
  const rest = problems.length - named.length;
  return `The body is not valid: ${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`;
}

function compileConstraints(policy: Policy, reading: SchemaReading): SchemaValidator | undefined {
  const { constraints } = policy;
  return Object.keys(constraints).length === 0
    ? undefined
    : compileSchema({ schema: { properties: { ...constraints } }, pointer: '' }).validator(reading);
}

/**
 * Prepares the check of a request body: its schema first, then what the policy adds to it.
 *
 * @throws ClocheError SCHEMA_UNUSABLE where a schema cannot be compiled
 */
export function createBodyCheck(requestBody: RequestBody, policy: Policy, reading: SchemaReading): BodyCheck {
  const validators = new Map(requestBody.media.map((media) => [media, media.schema?.validator(reading)]));
  const constraints = compileConstraints(policy, reading);
  const refusesUndeclared = policy['undeclared-properties'] === 'refuse';
  const names = new Map(
    requestBody.media.map((media) => [media, declaredNames(media.schema?.schema ?? true)]),
  );

  function findUndeclared(value: JsonValue, media: MediaTypeContract): string | undefined {
    const declared = names.get(media);
    return isJsonObject(value) && declared !== undefined
      ? Object.keys(value).find((name) => !declared.has(name))
      : undefined;
  }

  return (value, exact, media) => {
    const problems = validators.get(media)?.(value, exact);
    if (problems !== undefined && problems.length > 0) {
      return toSentence(problems, value);
    }
    const broken = constraints?.(value, exact);
    if (broken !== undefined && broken.length > 0) {
      return toSentence(broken, value);
    }
    const stray = refusesUndeclared ? findUndeclared(value, media) : undefined;
    return stray === undefined
      ? undefined
      : `The body has the property ${JSON.stringify(shorten(stray))}, which is not declared.`;
  };
}
