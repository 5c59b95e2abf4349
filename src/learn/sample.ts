import { judgeValue } from '../arbitrary/from-schema.ts';
import type { PlainBody } from '../arbitrary/plain-body.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import type { ProbeMember } from '../policy/behaviour.ts';

/** Generates a text from a number. Texts of different numbers differ. */
type TextForm = (number: number) => string;

/** Returns seven letters, which are enough for every number below 2^31. */
function letters(number: number): string {
  const at = (place: number): number => 97 + (Math.floor(number / 26 ** place) % 26);
  return String.fromCharCode(...[6, 5, 4, 3, 2, 1, 0].map(at));
}

/**
 * Forms of texts, the plainest first. A service that constrains texts is likely to accept one of them. Texts of a few
 * letters repeat after some thousand numbers.
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

/** The numbers of texts in one body differ by more than those of successive samples. */
const apart = 1_000_003;

/** Generates the members of a plain body, with texts from a number and the id in a slot. */
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

/** Returns the forms of samples, those that most services accept first; none if the body is not a JSON object. */
export function sampleForms(body: PlainBody): readonly SampleForm[] {
  const values = [body.fullest, body.smallest].filter(isJsonObject);
  return [...textForms, undefined].flatMap((form) => values.map((value) => createForm(body, value, form)));
}
