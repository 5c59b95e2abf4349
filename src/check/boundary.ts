import { compareNumbers, ExactNumber, toJsonNumber } from '../json/exact-number.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import type { Policy } from '../policy/policy.ts';

/** A class of characters that services treat alike. */
export type CharacterClass =
  | 'nul'
  | 'controls'
  | 'space'
  | 'digits'
  | 'capitals'
  | 'punctuation'
  | 'c1-controls'
  | 'latin-1'
  | 'combining'
  | 'invisible'
  | 'basic-plane'
  | 'astral';

/**
 * The characters of each class and samples that represent them, in the order of their code points. Classes are in
 * Unicode order. Lowercase letters are in no class, as they are always tried.
 */
export const characterClasses: Readonly<
  Record<CharacterClass, { readonly form: RegExp; readonly samples: readonly string[] }>
> = {
  nul: { form: /\0/u, samples: ['\0'] },
  controls: {
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    form: /[\u0001-\u001f\u007f]/u,
    samples: ['\u0001', '\b', '\t', '\n', '\r', '\u001b', '\u001f', '\u007f'],
  },
  space: { form: / /u, samples: [' '] },
  digits: { form: /[0-9]/u, samples: ['0', '7'] },
  capitals: { form: /[A-Z]/u, samples: ['A', 'Z'] },
  punctuation: { form: /[!-/:-@[-`{-~]/u, samples: [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'] },
  'c1-controls': { form: /[\u0080-\u009f]/u, samples: ['\u0085'] },
  'latin-1': { form: /[\u00a0-\u00ff]/u, samples: ['é', 'ÿ'] },
  combining: { form: /\p{M}/u, samples: ['\u0301'] },
  invisible: { form: /\p{Cf}/u, samples: ['\u200b', '\u202e'] },
  'basic-plane': { form: /(?![\p{M}\p{Cf}])[\u0100-\uffff]/u, samples: ['ш', 'ש', '日'] },
  astral: { form: /[\u{10000}-\u{10ffff}]/u, samples: ['𐍈', '😀'] },
};

/** The unit that a service counts the length of a text in, as far as texts with non-ASCII characters showed it. */
export type LengthUnit = 'bytes' | 'utf-16' | 'code-points' | 'unknown';

/**
 * The boundary between values that a service accepts and values that it rejects. Both sides were observed; for a limit,
 * they are neighbours. A place has a star for each index of a list.
 */
export type Boundary =
  | ({ readonly what: 'length'; readonly unit: LengthUnit } & Sides<number>)
  /** The value of a number, as digits: a double may not be able to represent it. */
  | ({ readonly what: 'value' } & Sides<string>)
  | ({ readonly what: 'items' } & Sides<number>)
  /** In bytes. */
  | ({ readonly what: 'body-size' } & Sides<number, ''>)
  /** A text is empty after the white space at its ends is trimmed. */
  | ({ readonly what: 'blank' } & Sides<string>)
  /** White space at the ends of a text; the service accepts it within the text. */
  | ({ readonly what: 'white-space'; readonly at: 'start' | 'end' | 'either end' } & Sides<string>)
  /** A text that was accepted the first time and rejected when it was sent again. */
  | { readonly what: 'repeated'; readonly place: JsonPointer; readonly refused: string }
  | CharacterBoundary;

interface Sides<Value, Place extends JsonPointer = JsonPointer> {
  readonly place: Place;
  readonly accepted: Value;
  readonly refused: Value;
}

/** The characters that a text must not contain. */
export interface CharacterBoundary {
  readonly what: 'characters';
  readonly place: JsonPointer;
  /** The classes with only rejected samples. */
  readonly classes: readonly CharacterClass[];
  /** Every rejected sample, in the order of the classes. */
  readonly refused: readonly [string, ...string[]];
  /** The sample before the first rejected one, if it is accepted. */
  readonly accepted: string | undefined;
  /** The accepted samples besides lowercase letters, if nearly all others are rejected. */
  readonly but?: readonly string[];
}

/** Names a boundary for the cause of a finding; a limit has the same name, whatever values showed it. */
export function boundaryCause(boundary: Boundary): string {
  const { what, place } = boundary;
  switch (boundary.what) {
    case 'length':
    case 'value':
    case 'items':
    case 'body-size': {
      const unit = boundary.what === 'length' ? ` ${boundary.unit}` : '';
      return `${what}${unit} at ${place}: ${boundary.accepted} taken, ${boundary.refused} refused`;
    }
    case 'blank':
    case 'repeated':
      return `${what} at ${place}`;
    case 'white-space':
      return `${what} at ${place}: ${boundary.at}`;
    case 'characters':
      return `${what} at ${place}: ${JSON.stringify(boundary.refused)}`;
  }
}

/** Returns whether a policy rejects schema-valid values. If so, a rejected valid body proves nothing. */
export function boundsValues(policy: Policy): boolean {
  return policy['unique-properties'].length > 0 || Object.keys(policy.constraints).length > 0;
}

/** Returns whether a value is on the rejected side of a boundary. A value alone does not show the size of a body. */
export function breaksBoundary(value: JsonValue, boundary: Boundary): boolean {
  switch (boundary.what) {
    case 'body-size':
      return false;
    case 'items':
      return Array.isArray(value) && isBeyond(value.length, boundary);
    case 'value': {
      if (typeof value !== 'number' && !(value instanceof ExactNumber)) return false;
      const limit = toJsonNumber(boundary.refused);
      const side = compareNumbers(limit, toJsonNumber(boundary.accepted));
      return compareNumbers(value, limit) * side >= 0;
    }
    case 'length':
      return typeof value === 'string' && isBeyond(measure(value, boundary.unit), boundary);
    case 'blank':
      return typeof value === 'string' && value.trim() === '';
    // The text was sent before, as it is sent again to confirm the boundary.
    case 'repeated':
      return typeof value === 'string';
    case 'white-space':
      return typeof value === 'string' && value.trim() !== value;
    case 'characters':
      return typeof value === 'string' && holdsRefused(value, boundary);
  }
}

function measure(text: string, unit: LengthUnit): number {
  if (unit === 'bytes') return new TextEncoder().encode(text).length;
  return unit === 'utf-16' ? text.length : [...text].length;
}

function isBeyond(size: number, { accepted, refused }: { accepted: number; refused: number }): boolean {
  return refused > accepted ? size >= refused : size <= refused;
}

function holdsRefused(text: string, { classes, refused, but }: CharacterBoundary): boolean {
  if (but !== undefined) {
    const allowed = Object.values(characterClasses).filter(({ samples }) =>
      samples.every((sample) => but.includes(sample)),
    );
    const others = [...text].filter((character) => !/[a-z]/u.test(character) && !but.includes(character));
    return others.some((character) => !allowed.some(({ form }) => form.test(character)));
  }
  return (
    refused.some((character) => text.includes(character)) ||
    classes.some((name) => characterClasses[name].form.test(text))
  );
}
