import { type JsonPointer, pointerTokens } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { DocumentProblem } from '../document-problem.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { toInternalPointer } from '../references/to-internal-pointer.ts';
import { resolvePointer } from '../resolve-pointer.ts';
import { evaluateStructure, type ExpectedTarget } from './evaluate-structure.ts';
import { openApiStructure } from './openapi-structure.ts';
import { noResponse } from './structure-words.ts';

/** Where in `components` what has a structure belongs: there it is judged anyway. */
const homes: Readonly<Record<string, string>> = {
  callback: 'callbacks',
  example: 'examples',
  header: 'headers',
  link: 'links',
  parameter: 'parameters',
  pathitem: 'pathItems',
  requestbody: 'requestBodies',
  response: 'responses',
  schema: 'schemas',
  securityscheme: 'securitySchemes',
};

/**
 * What in a document is not as its version of OpenAPI wants it, one problem for each mistake. References are
 * followed one step: what a reference leads to must be what may stand in its place.
 */
export function checkStructure(root: JsonObject, version: '3.0' | '3.1'): readonly DocumentProblem[] {
  const structure = openApiStructure(version);
  const whole = evaluateStructure({ structure, schema: structure, value: root, pointer: '' });
  const problems: DocumentProblem[] = [...whole.problems];
  const seen = new Set<string>();
  const waiting: ExpectedTarget[] = [...whole.targets];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { reference, target } = next;
    const place = toInternalPointer(reference);
    const value = place === undefined ? undefined : resolvePointer(root, place);
    const key = `${place} ${nameOfTarget(target)}`;
    if (place === undefined || value === undefined || seen.has(key) || isAtHome(place, target)) {
      continue;
    }
    seen.add(key);
    const outcome = evaluateStructure({ structure, schema: orReference(target), value, pointer: place });
    waiting.push(...outcome.targets);
    const isJudgedThere = problems.some(
      ({ pointer }) => pointer === place || pointer.startsWith(`${place}/`),
    );
    if (outcome.problems.length > 0 && !isJudgedThere) {
      problems.push(describeWrongTarget(next));
    }
  }
  return withoutConsequences(withoutRepeated(problems));
}

/** What a reference leads to may be another reference. */
function orReference(target: JsonValue): JsonValue {
  return { if: { type: 'object', required: ['$ref'] }, else: target, target };
}

function nameOfTarget(target: JsonValue): string {
  const reference = isJsonObject(target) && typeof target['$ref'] === 'string' ? target['$ref'] : '';
  return pointerTokens(reference).at(-1) ?? 'object';
}

function isAtHome(place: JsonPointer, target: JsonValue): boolean {
  const [components, section, ...rest] = pointerTokens(place);
  const home = homes[nameOfTarget(target).toLowerCase().replaceAll('-', '')];
  return components === 'components' && section === home && rest.length === 1;
}

function describeWrongTarget({ pointer, reference, target }: ExpectedTarget): DocumentProblem {
  const kind = nameOfTarget(target)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, ' ')
    .replaceAll('-', ' ')
    .toLowerCase();
  return {
    pointer: `${pointer}/$ref`,
    reason: `the reference ${JSON.stringify(reference)} leads to something that is no ${kind}`,
    remedy: `Let it lead to a ${kind}`,
  };
}

function withoutRepeated(problems: readonly DocumentProblem[]): readonly DocumentProblem[] {
  const byKey = new Map(
    problems.map((problem) => [JSON.stringify([problem.pointer, problem.reason]), problem]),
  );
  return [...byKey.values()];
}

/** Where what stands for a response is wrong itself, or nothing stands there, that is the mistake. */
function withoutConsequences(problems: readonly DocumentProblem[]): readonly DocumentProblem[] {
  return problems.filter(
    (problem) =>
      problem.reason !== noResponse ||
      !problems.some(
        (other) =>
          other !== problem &&
          (other.pointer === problem.pointer || other.pointer.startsWith(`${problem.pointer}/`)),
      ),
  );
}
