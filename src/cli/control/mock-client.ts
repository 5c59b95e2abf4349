import type { JsonValue } from '../../json/json-value.ts';

/** Something that a running mock is asked for. */
export interface ControlCall {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the prefix of the control interface, percent-encoded: `/snapshots/full`. */
  readonly path: string;
  /** Parameters; those that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** @defaultValue none */
  readonly body?: JsonValue;
}

/** A running mock, driven over its control interface. */
export interface MockClient {
  /**
   * Asks it for something.
   *
   * @returns what it answers, every number with its digits; undefined where it answers nothing
   * @throws ClocheError CONTROL_FAILED, with the sentence of the mock where it refuses
   */
  readonly call: (wanted: ControlCall) => Promise<JsonValue | undefined>;
  /** The version of Cloche that the mock is of; undefined before the first call. */
  readonly version: () => string | undefined;
}
