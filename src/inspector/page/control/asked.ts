import type { BadRow } from '../../../mock/state/data-error.ts';

/** What came of a request to the control interface. */
export type Asked<T> =
  | {
      readonly ok: true;
      readonly value: T;
      /** The content as it came. */
      readonly text: string;
    }
  | {
      readonly ok: false;
      /** Undefined where there was no answer. */
      readonly status: number | undefined;
      /** In words, for whoever looks at the page. */
      readonly message: string;
      /** What of the data that was sent is wrong. */
      readonly rows: readonly BadRow[];
    };
