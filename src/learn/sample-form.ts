import { judgeValue } from '../arbitrary/judge-value.ts';
import type { PlainBody } from '../arbitrary/plain-body.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonObject } from '../json/json-value.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import type { ProbeMember } from '../policy/probe.ts';
import { type TextForm, textForms } from './fresh-texts.ts';

/** Texts of one body differ by more than samples do that follow each other. */
const apart = 1_000_003;

/** Makes the members of a plain body, its texts of a number, its key in a slot. */
export type SampleForm = (number: number, slot: number) => readonly ProbeMember[];

function createForm(body: PlainBody, value: JsonObject, form: TextForm | undefined): SampleForm {
  const isFree = (name: string): boolean =>
    form !== undefined &&
    typeof value[name] === 'string' &&
    name !== body.key?.property &&
    judgeValue(body.schema, { ...value, [name]: form(1) }) === 'valid';
  const free = new Set(Object.keys(value).filter(isFree));
  return (number, slot) =>
    Object.entries(value).map(([name, member], index) => {
      if (name === body.key?.property) {
        return { name, value: [{ slot }] };
      }
      const text = free.has(name) && form !== undefined ? form(number + index * apart) : member;
      return { name, value: [stringifyJson(text)] };
    });
}

/**
 * The forms that samples may have, those that most services take first.
 *
 * @returns none where the body is no JSON object
 */
export function sampleForms(body: PlainBody): readonly SampleForm[] {
  const values = [body.fullest, body.smallest].filter(isJsonObject);
  return [...textForms, undefined].flatMap((form) => values.map((value) => createForm(body, value, form)));
}
