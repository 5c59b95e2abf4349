import type { JsonObject } from '../../json/json-value.ts';
import type { ConstraintsAnswer } from '../constraints.ts';
import type { Asker, Probe, ProbeReading } from '../probe.ts';
import { createBodyQuestions, type TextOfBody } from './create-body-questions.ts';
import { findKeyBounds } from './find-key-bounds.ts';
import { findNumberBounds } from './find-number-bounds.ts';
import { findTextBounds, type TextQuestions } from './find-text-bounds.ts';
import { findTextPattern } from './find-text-pattern.ts';
import { freeTexts } from './free-texts.ts';
import { notAsked } from './not-asked.ts';
import { unsettled } from './unsettled.ts';

const ends = [
  ['minimum', [-(2n ** 53n - 1n), -(2n ** 31n), -1_000_000n, -1_000n, -1n, 0n, 1n]],
  ['maximum', [2n ** 53n - 1n, 2n ** 31n - 1n, 1_000_000n, 65_535n, 1_000n, 255n, 100n, 10n]],
] as const;

/** The whole numbers of a sample that are no key, by name. */
function wholeNumbers(asker: Asker): readonly (readonly [string, bigint])[] {
  return (asker.sample() ?? []).flatMap(({ name, value }) => {
    const [text, ...rest] = value;
    return typeof text === 'string' && rest.length === 0 && /^-?\d{1,15}$/u.test(text)
      ? [[name, BigInt(text)] as const]
      : [];
  });
}

function askAny(text: TextOfBody): Pick<TextQuestions, 'isValid' | 'takes'> {
  return { isValid: text.isValidLength, takes: text.takesLength };
}

/** Of a text that must be unique, a short one may be another's: that several are says more. */
function askShort({ isValidLength, takesLength }: TextOfBody): Pick<TextQuestions, 'isValid' | 'takes'> {
  const tries = 3;
  const shortest = 3;
  return {
    isValid: (length) => length > 0 && isValidLength(length),
    async takes(length) {
      for (let count = 0; count < (length > shortest ? 1 : tries); count += 1) {
        if (await takesLength(length)) {
          return true;
        }
      }
      return false;
    },
  };
}

/** @returns undefined where there are bounds of the key that cannot be told */
async function find(asker: Asker): Promise<ConstraintsAnswer | undefined> {
  const questions = createBodyQuestions(asker);
  const found: Record<string, JsonObject> = {};
  const unique = asker.settled('unique-properties');
  for (const name of freeTexts(asker)) {
    const text = questions.ofText(name);
    const isUnique = Array.isArray(unique) && unique.includes(name);
    const lengths = await findTextBounds({ ...text, ...(isUnique ? askShort(text) : askAny(text)) });
    const pattern = await findTextPattern({ isValid: text.isValidWith, takes: text.takesWith });
    found[name] = { ...lengths, ...(pattern === undefined ? {} : { pattern }) };
  }
  for (const [name, taken] of wholeNumbers(asker)) {
    found[name] = await findNumberBounds({ taken, ends, ...questions.ofNumber(name) });
  }
  if (asker.key?.isNumber === true) {
    const bounds = await findKeyBounds(asker);
    if (bounds === undefined) {
      return undefined;
    }
    found[asker.key.property] = bounds;
  }
  return Object.fromEntries(Object.entries(found).filter(([, fragment]) => Object.keys(fragment).length > 0));
}

/** Whether the lengths of texts that were found still hold. */
async function stillHolds(asker: Asker, found: ConstraintsAnswer): Promise<boolean> {
  const questions = createBodyQuestions(asker);
  for (const [name, { maxLength }] of Object.entries(found)) {
    if (typeof maxLength === 'number') {
      const { takesLength } = questions.ofText(name);
      if (!(await takesLength(maxLength)) || (await takesLength(maxLength + 1))) {
        return false;
      }
    }
  }
  return questions.takesPlain();
}

async function ask(asker: Asker): Promise<ProbeReading<ConstraintsAnswer>> {
  if (asker.sample() === undefined) {
    return notAsked('it takes no JSON object');
  }
  const answer = await asker.once('constraints', () => find(asker));
  if (answer === undefined) {
    return unsettled(
      'a key out of its bounds is refused as one that exists is, so that no bound can be told',
    );
  }
  return (await stillHolds(asker, answer))
    ? { kind: 'answer', answer }
    : unsettled(`what was found at first does not hold: ${Object.keys(answer).join(', ')}`);
}

/** Asks with texts that are longer, shorter and of other characters, and with numbers further out. */
export const constraintsProbe: Probe<ConstraintsAnswer> = { mostRequests: 300, needsTaken: true, ask };
