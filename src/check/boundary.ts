import type { JsonPointer } from '../json/json-pointer.ts';
import type { CharacterClass } from './character-classes.ts';

/** What the length of a text is counted in, as far as texts past ASCII told it. */
export type LengthUnit = 'bytes' | 'utf-16' | 'code-points' | 'unknown';

/**
 * Where values that a service takes end and those that it refuses begin, both sides seen. Of a bound, `accepted`
 * and `refused` are neighbours. A place has a star for each index of a list.
 */
export type Boundary =
  /** How many characters a text has, or bytes in UTF-8, or units of UTF-16. */
  | {
      readonly what: 'length';
      readonly place: JsonPointer;
      readonly accepted: number;
      readonly refused: number;
      readonly unit: LengthUnit;
    }
  /** The value of a number, as digits: it may be past what a double keeps. */
  | {
      readonly what: 'value';
      readonly place: JsonPointer;
      readonly accepted: string;
      readonly refused: string;
    }
  /** How many items a list has. */
  | {
      readonly what: 'items';
      readonly place: JsonPointer;
      readonly accepted: number;
      readonly refused: number;
    }
  /** How many bytes a whole body has. */
  | { readonly what: 'body-size'; readonly place: ''; readonly accepted: number; readonly refused: number }
  /** A text is empty once the white space around it is cut off. */
  | {
      readonly what: 'blank';
      readonly place: JsonPointer;
      readonly accepted: string;
      readonly refused: string;
    }
  /** White space at the ends of a text, taken within it. */
  | {
      readonly what: 'white-space';
      readonly place: JsonPointer;
      readonly at: 'start' | 'end' | 'either end';
      readonly accepted: string;
      readonly refused: string;
    }
  /** A text that was taken before: one that is sent twice is refused the second time. */
  | {
      readonly what: 'repeated';
      readonly place: JsonPointer;
      /** The text that was taken once, and then refused. */
      readonly refused: string;
    }
  | CharacterBoundary;

/** Which characters a text may not hold. */
export interface CharacterBoundary {
  readonly what: 'characters';
  readonly place: JsonPointer;
  /** The classes all of whose samples are refused. */
  readonly classes: readonly CharacterClass[];
  /** Every sample that is refused, in the order of the classes. */
  readonly refused: readonly [string, ...string[]];
  /** The sample before the first that is refused, where that is taken. */
  readonly accepted: string | undefined;
  /** Where nearly everything is refused, the samples besides small letters that are taken. */
  readonly but?: readonly string[];
}
