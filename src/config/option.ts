import type { DocumentProblem } from '../document/document.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';

/** An option or an argument: its values and its help text, in the terms of yargs. */
export interface Option {
  /**
   * A `switch` has no value; `texts` and `tokens` are repeatable; an `argument` may be empty; a `setting` is JSON of a
   * configuration, and no option of the command line.
   */
  readonly kind:
    | 'switch'
    | 'text'
    | 'texts'
    | 'token'
    | 'tokens'
    | 'argument'
    | 'word'
    | 'number'
    | 'whole'
    | 'setting';
  readonly describe: string;
  readonly alias?: string;
  /** The smallest accepted number. @defaultValue 0 */
  readonly from?: number;
  /** The largest accepted number. @defaultValue the largest exact integer */
  readonly to?: number;
  readonly choices?: readonly string[];
  readonly default?: string | number | boolean;
  /** The description of the default in the help. */
  readonly defaultDescription?: string;
  /** Options that it cannot be combined with. */
  readonly conflicts?: readonly string[];
  /** Its key in a configuration, with a dot before the key of a nested object. @defaultValue its name in camelCase */
  readonly key?: string;
  /** The text between name and value of a repeatable option. A configuration has an object of names and values. */
  readonly pairs?: {
    readonly between: ': ' | '=';
    /** Whether an array is one value, in JSON. Otherwise each of its items is a value of the same name. */
    readonly isJson?: true;
  };
  /** The names of the objects that a setting may have. @defaultValue any members */
  readonly members?: readonly string[];
  /** Whether the value is a path. A configuration has it relative to its own folder. */
  readonly isPath?: true;
  /** Whether the value is a secret, which nothing prints. */
  readonly isSecret?: true;
  /** Whether the value is a command, whose arguments may be secrets. */
  readonly isCommand?: true;
  /** Whether it has no key in a configuration. */
  readonly isFlagOnly?: true;
}

/** A setting whose value is an object, with what is needed to report problems inside it. */
export interface ConfiguredSetting {
  /** Without `${NAME}`. */
  readonly value: JsonValue;
  /** Its place in the configuration. Problems have pointers below it. */
  readonly pointer: JsonPointer;
  /** The folder that its paths are relative to. */
  readonly folder: string;
  readonly toError: (problems: readonly DocumentProblem[]) => Error;
}
