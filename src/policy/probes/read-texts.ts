import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { ProbeMember } from '../probe.ts';
import { writeBody } from './write-body.ts';

/** The members of a sample that hold texts, without its keys. */
export function readTexts(members: readonly ProbeMember[]): ReadonlyMap<string, string> {
  const literal = members.filter(({ value }) => value.every((piece) => typeof piece === 'string'));
  const parsed = parseJson(writeBody(literal).map(String).join(''));
  const object: JsonObject = parsed.kind === 'json' && isJsonObject(parsed.value) ? parsed.value : {};
  return new Map(
    Object.entries(object).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
