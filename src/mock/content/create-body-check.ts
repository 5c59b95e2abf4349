import type { MediaTypeContract } from '../../contract/media-type-contract.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { RequestBody } from '../../contract/request-body.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { Policy } from '../../policy/policy.ts';
import { type CompiledSchema, compileSchema } from '../../schema/compile-schema.ts';
import { describeSchemaProblem } from '../../schema/describe-schema-problem.ts';
import type { SchemaProblem } from '../../schema/schema-problem.ts';
import type { SchemaReading } from '../../schema/schema-reading.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { BrokenClause, RequestProblem } from '../log/logged-request.ts';
import { declaredNames } from '../bodies/declared-names.ts';
import { policyClause } from './policy-clause.ts';
import { quoteClause } from './quote-clause.ts';
import { shorten } from './shorten.ts';

/** What is wrong with the body of a request. */
export interface BodyProblem {
  /** As a sentence. */
  readonly message: string;
  /** One by one, made when they are asked for. */
  readonly problems: () => readonly RequestProblem[];
}

/** Says what is wrong with the body of a request, or undefined where nothing is. */
export type BodyCheck = (
  value: JsonValue,
  exact: boolean,
  media: MediaTypeContract,
) => BodyProblem | undefined;

/** More than this many problems make no sentence. */
const mostNamed = 3;
/** Nobody reads more than these, and a long array may have one in each item. */
const mostListed = 50;

function toSentence(problems: readonly SchemaProblem[], value: JsonValue): string {
  const named = problems.slice(0, mostNamed).map((problem) => describeSchemaProblem({ problem, value }));
  const rest = problems.length - named.length;
  return `The body is not valid: ${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`;
}

/** The schema of what a policy asks for besides; its pointers lead into the policy. */
function compileConstraints({ constraints }: Policy): CompiledSchema | undefined {
  return Object.keys(constraints).length === 0
    ? undefined
    : compileSchema({
        schema: { properties: { ...constraints } },
        pointer: '',
        placeOf: (place) => place.replace(/^\/properties/u, '/answers/constraints'),
      });
}

/** The property itself, where one is missing or may not be there. */
function placeOfProblem({ pointer, params }: SchemaProblem): string {
  return 'property' in params ? appendPointer(pointer, params.property) : pointer;
}

function toBodyProblem(
  found: readonly SchemaProblem[],
  { value, schema, source }: { value: JsonValue; schema: CompiledSchema; source: BrokenClause['in'] },
): BodyProblem {
  return {
    message: toSentence(found, value),
    problems: () =>
      found.slice(0, mostListed).map((problem) => ({
        pointer: placeOfProblem(problem),
        reason: describeSchemaProblem({ problem, value }),
        clause: {
          in: source,
          pointer: schema.placeOf(problem.schemaPointer),
          text: quoteClause(schema.schema, problem.schemaPointer),
        },
      })),
  };
}

function toStrayProblem(stray: string): BodyProblem {
  const reason = `The body has the property ${JSON.stringify(shorten(stray))}, which is not declared`;
  return {
    message: `${reason}.`,
    problems: () => [
      {
        pointer: appendPointer('', stray),
        reason,
        clause: policyClause('undeclared-properties', 'refuse'),
      },
    ],
  };
}

/**
 * Prepares the check of a request body: its schema first, then what the policy adds to it.
 *
 * @throws ClocheError SCHEMA_UNUSABLE where a schema cannot be compiled
 */
export function createBodyCheck(requestBody: RequestBody, policy: Policy, reading: SchemaReading): BodyCheck {
  const validators = new Map(requestBody.media.map((media) => [media, media.schema?.validator(reading)]));
  const constraints = compileConstraints(policy);
  const checkConstraints = constraints?.validator(reading);
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
    const { schema } = media;
    const problems = validators.get(media)?.(value, exact);
    if (problems !== undefined && problems.length > 0 && schema !== undefined) {
      return toBodyProblem(problems, { value, schema, source: 'document' });
    }
    const broken = checkConstraints?.(value, exact);
    if (broken !== undefined && broken.length > 0 && constraints !== undefined) {
      return toBodyProblem(broken, { value, schema: constraints, source: 'policy' });
    }
    const stray = refusesUndeclared ? findUndeclared(value, media) : undefined;
    return stray === undefined ? undefined : toStrayProblem(stray);
  };
}
