import type { Options } from 'yargs';
import type { JsonValue } from '../../json/json-value.ts';
import type { ArgumentReader } from '../create-argument-reader.ts';
import type { MockClient } from './mock-client.ts';

/** What came of something that was done to a running mock. */
export interface ActionResult {
  /** For programs; undefined where there is nothing to say but that it was done. */
  readonly value: JsonValue | undefined;
  /** For people. */
  readonly lines: readonly string[];
  /**
   * What people are told besides, on stderr.
   *
   * @defaultValue nothing
   */
  readonly notes?: readonly string[];
  /**
   * Whether what was asked is so.
   *
   * @defaultValue true
   */
  readonly holds?: boolean;
}

/** What an action was given. */
export interface ActionArguments extends ArgumentReader {
  /** The text of an argument that it cannot do without. */
  readonly required: (name: string) => string;
  /** A whole number, not negative. */
  readonly whole: (option: string) => number | undefined;
}

/** Something that can be done to a running mock. */
export interface Action {
  /** Its arguments and options, by name, besides those that all have. */
  readonly options?: Readonly<Record<string, Options>>;
  /** @throws ClocheError CONTROL_FAILED, and OPTION_INVALID for what it cannot read */
  readonly act: (client: MockClient, given: ActionArguments) => Promise<ActionResult>;
}
