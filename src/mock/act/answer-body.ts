import { isJsonObject } from '../../json/is-json-object.ts';
import { pointerTokens } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { CompiledSchema } from '../../schema/compile-schema.ts';
import type { SchemaProblem } from '../../schema/schema-problem.ts';
import type { SchemaReading } from '../../schema/schema-reading.ts';
import { createProjection } from '../bodies/create-projection.ts';
import { holdsExactNumber } from '../../json/holds-exact-number.ts';
import { mergeSchema } from '../bodies/merge-schema.ts';
import { sampleValue } from '../bodies/sample-value.ts';
import { setOwn } from '../bodies/set-own.ts';

/** The body of an answer about a resource. */
export interface AnswerBody {
  readonly value: JsonValue;
  /** Whether it holds an exact number. */
  readonly exact: boolean;
}

/** Makes the body of an answer about a resource. */
export type RenderResource = (input: {
  readonly resource: JsonObject;
  /** Whether the resource holds an exact number. */
  readonly exact: boolean;
  /** Properties to be shown although the response does not declare them. */
  readonly extras: Readonly<JsonObject> | undefined;
}) => AnswerBody;

/** The property of the whole that a problem lies in. */
function propertyOf(problem: SchemaProblem): string | undefined {
  return (
    pointerTokens(problem.pointer)[0] ?? ('property' in problem.params ? problem.params.property : undefined)
  );
}

/**
 * Prepares the bodies of answers about a resource: what the response declares of it, completed with samples
 * where the response requires what the resource does not have, and valid against the response's schema as
 * far as a valid body can be made at all.
 *
 * @param input.examples - of the document, for what no sample can be made of
 */
export function createResourceRenderer(input: {
  readonly schema: CompiledSchema | undefined;
  readonly examples: readonly JsonValue[];
  readonly reading: SchemaReading;
}): RenderResource {
  const { schema: compiled, examples, reading } = input;
  const schema = compiled?.schema ?? true;
  const root = isJsonObject(schema) ? schema : {};
  const validate = compiled?.validator(reading) ?? ((): readonly SchemaProblem[] => []);
  const project = createProjection(schema, 'writeOnly');
  const sample = [sampleValue({ schema, root }), ...examples].find(
    (value) => value !== undefined && validate(value, holdsExactNumber(value)).length === 0,
  );
  const samples = isJsonObject(sample) ? sample : {};
  const samplesExact = holdsExactNumber(samples);
  const merged = mergeSchema(root, schema);
  const required = Array.isArray(merged['required']) ? merged['required'].map(String) : [];
  const isObject = sample === undefined || isJsonObject(sample);

  function complete(answer: JsonObject): boolean {
    let completed = false;
    for (const name of required) {
      const stand = Object.hasOwn(answer, name) || !Object.hasOwn(samples, name) ? undefined : samples[name];
      if (stand !== undefined) {
        setOwn(answer, name, stand);
        completed = true;
      }
    }
    return completed;
  }

  function repair(answer: JsonObject, problems: readonly SchemaProblem[]): AnswerBody | undefined {
    const repaired = { ...answer };
    for (const name of problems.map(propertyOf)) {
      const stand = name !== undefined && Object.hasOwn(samples, name) ? samples[name] : undefined;
      if (name !== undefined && stand !== undefined) {
        setOwn(repaired, name, stand);
      } else if (name !== undefined) {
        Reflect.deleteProperty(repaired, name);
      }
    }
    const exact = holdsExactNumber(repaired);
    return validate(repaired, exact).length === 0 ? { value: repaired, exact } : undefined;
  }

  return ({ resource, exact: resourceExact, extras }) => {
    if (!isObject) {
      return { value: sample, exact: holdsExactNumber(sample) };
    }
    const answer = project(resource);
    const exact = (complete(answer) && samplesExact) || resourceExact;
    if (extras !== undefined) {
      for (const [name, value] of Object.entries(extras)) {
        setOwn(answer, name, value);
      }
    }
    const problems = validate(answer, exact);
    if (problems.length === 0) {
      return { value: answer, exact };
    }
    return (
      repair(answer, problems) ??
      (sample === undefined ? { value: answer, exact } : { value: sample, exact: holdsExactNumber(sample) })
    );
  };
}
