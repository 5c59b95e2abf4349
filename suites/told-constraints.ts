import { applyEdits } from '../src/arbitrary/apply-edits.ts';
import { buildRequest } from '../src/arbitrary/build-request.ts';
import { joinParts } from '../src/arbitrary/join-parts.ts';
import { judgeValue } from '../src/arbitrary/judge-value.ts';
import { boundEdits } from '../src/arbitrary/out-of-bounds.ts';
import { plainValues } from '../src/arbitrary/plain-values.ts';
import type { PlainBody } from '../src/arbitrary/plain-body.ts';
import type { RequestCase } from '../src/arbitrary/request-case.ts';
import { isJsonObject } from '../src/json/is-json-object.ts';
import type { ConstraintsAnswer } from '../src/policy/constraints.ts';
import { compileSchema } from '../src/schema/compile-schema.ts';
import type { Property } from '../src/runner/suite.ts';
import { afterPlain } from './after-plain.ts';
import { sequenceProperty } from './sequence-property.ts';
import type { ToldOperation } from './told-operation.ts';

/** So many bodies are about one bound of each of some properties. */
const mostCases = 40;

/** The body whose schema has the constraints in it; undefined where there is none that they take. */
function boundBody(body: PlainBody, constraints: ConstraintsAnswer): PlainBody | undefined {
  const { schema } = body;
  const root = schema === undefined || !isJsonObject(schema.schema) ? {} : schema.schema;
  const { allOf } = root;
  const parts = Array.isArray(allOf) ? allOf : [];
  const bounded = compileSchema({
    schema: { ...root, allOf: [...parts, { properties: { ...constraints } }] },
    pointer: schema?.pointer ?? '',
  });
  const values = plainValues(bounded);
  const keep = (value: PlainBody['fullest'], plain: PlainBody['fullest']): PlainBody['fullest'] =>
    isJsonObject(value) && isJsonObject(plain) && body.key !== undefined
      ? { ...value, [body.key.property]: plain[body.key.property] ?? null }
      : value;
  return values === undefined
    ? undefined
    : {
        ...body,
        schema: bounded,
        smallest: keep(values.smallest, body.smallest),
        fullest: keep(values.fullest, body.fullest),
        arbitrary: values.arbitrary.map((value) => keep(value, body.smallest)),
      };
}

/** Valid bodies just within the bounds that the policy adds to the schema, and just past them. */
export function toldConstraints({ operation, body, told }: ToldOperation): readonly Property[] {
  const { constraints = {} } = told;
  const names = Object.keys(constraints);
  const bounded = body === undefined || names.length === 0 ? undefined : boundBody(body, constraints);
  if (body === undefined || bounded === undefined) {
    return [];
  }
  const edits = boundEdits(bounded).filter(({ at }) => names.includes(at.slice(1)));
  const examples = edits.flatMap((edit): RequestCase[] => {
    const edited = applyEdits(bounded, bounded.fullest, [edit]);
    return edited !== undefined && judgeValue(body.schema, edited.value) === 'valid'
      ? [buildRequest(operation, { body: joinParts(edited.tokens) })]
      : [];
  });
  const plain = applyEdits(bounded, bounded.fullest, []);
  return sequenceProperty({
    operation,
    name: 'constraints',
    title: 'A value within the bounds that the policy adds is taken, and one past them is refused',
    traceChecks: [],
    cases: afterPlain(operation, {
      examples: [
        ...(plain === undefined ? [] : [buildRequest(operation, { body: joinParts(plain.tokens) })]),
        ...examples.slice(0, mostCases),
      ],
      arbitrary: undefined,
    }),
  });
}
