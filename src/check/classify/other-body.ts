import type { MediaTypeContract } from '../../contract/contract.ts';
import { formFiles } from '../../contract/form-files.ts';
import { sampleFile } from '../../http/sample-files.ts';
import { appendPointer, pointerTokens } from '../../json/pointer.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { CompiledSchema } from '../../schema/compile.ts';
import type { SchemaProblem } from '../../schema/problems.ts';
import type { Mutation } from './subject.ts';

/** Returns other values that a service may read an empty text, a digit or a missing field as; undefined is missing. */
function otherReadings(member: JsonValue | undefined): readonly (JsonValue | undefined)[] {
  if (member === undefined) return [null, []];
  if (member === '') return [undefined, null];
  return member === '0' || member === '1' ? [member === '1'] : [];
}

/**
 * Returns whether some services accept a form that breaks its schema: many read `1` as true and an empty text as no
 * value, and a form cannot distinguish an empty list or null from a missing field.
 */
export function hasOtherReading(
  value: JsonValue,
  problems: readonly SchemaProblem[],
  schema: CompiledSchema,
): boolean {
  const validate = schema.validator({ formats: 'ignore', integers: 'by-value' });
  const countProblems = (each: JsonValue): number => validate(each, holdsExactNumber(each)).length;
  let changed = value;
  for (const { pointer, params } of problems) {
    const [name, deeper] = pointerTokens(
      'property' in params ? appendPointer(pointer, params.property) : pointer,
    );
    if (name === undefined || deeper !== undefined || !isJsonObject(changed)) return false;
    const { [name]: member, ...others } = changed;
    const found = otherReadings(member)
      .map((other): JsonObject => (other === undefined ? others : { ...others, [name]: other }))
      .find((each) => countProblems(each) < countProblems(changed));
    changed = found ?? changed;
  }
  return countProblems(changed) === 0;
}

/** The words for a file whose bytes may not be of its media type. */
export const foreignFile = 'a file of another media type';

/** Separates the files of a form from its other values, as a service may show a file in any way. */
export function separateFiles(media: MediaTypeContract, value: JsonValue): readonly [JsonValue, Mutation[]] {
  const files = formFiles(media);
  if (!isJsonObject(value) || files.size === 0) return [value, []];
  const mutations = [...files].flatMap(([name, type]): Mutation[] => {
    const sample = sampleFile(type) ?? /^[a-z]{1,100}$/iu;
    const isUsual = (text: JsonValue): boolean =>
      typeof sample === 'string' ? text === sample : typeof text === 'string' && sample.test(text);
    const words = typeof sample === 'string' ? foreignFile : 'an unusual file';
    return [value[name] ?? []].flat().every(isUsual) ? [] : [{ place: appendPointer('', name), words }];
  });
  return [Object.fromEntries(Object.entries(value).filter(([name]) => !files.has(name))), mutations];
}
