import { judgeValue } from '../arbitrary/from-schema.ts';
import type { PlainBody } from '../arbitrary/plain-body.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import type { ProbeMember } from '../policy/question.ts';

/** Makes a text of a number; texts of different numbers differ. */
type TextForm = (number: number) => string;

/** Seven letters, which are enough for every number below 2^31. */
function letters(number: number): string {
  const at = (place: number): number => 97 + (Math.floor(number / 26 ** place) % 26);
  return String.fromCharCode(...[6, 5, 4, 3, 2, 1, 0].map(at));
}

/**
 * Forms of texts of which services that bound them are likely to take one, the plainest first. Those of a few letters
 * come again after some thousand.
 */
const textForms: readonly TextForm[] = [
  (number) => `by${letters(number)}`,
  (number) => `By${letters(number)}`,
  (number) => letters(number).slice(-5),
  (number) => letters(number).slice(-3),
  (number) => `by${letters(number).repeat(3)}`,
  (number) => `BY${letters(number).toUpperCase()}`,
  (number) => `b1${letters(number)}2`,
  (number) => String(number).padStart(10, '1'),
];

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
      if (name === body.key?.property) return { name, value: [{ slot }] };
      const text = free.has(name) && form !== undefined ? form(number + index * apart) : member;
      return { name, value: [stringifyJson(text)] };
    });
}

/** The forms that samples may have, those that most services accept first; none where the body is no JSON object. */
export function sampleForms(body: PlainBody): readonly SampleForm[] {
  const values = [body.fullest, body.smallest].filter(isJsonObject);
  return [...textForms, undefined].flatMap((form) => values.map((value) => createForm(body, value, form)));
}
