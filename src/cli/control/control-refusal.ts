import { ClocheError } from '../../errors/cloche-error.ts';
import { escapeControls } from '../../errors/console-text.ts';
import type { BadRow } from '../../mock/state/data-error.ts';

/** What a running mock refuses, in its own words, as it knows best what is wrong. */
export class ControlRefusal extends ClocheError {
  /** What it names each bad row by, where it refuses data. */
  readonly rows: readonly BadRow[];

  /**
   * @param input.sentence - what the mock says
   * @param input.rows - none where left out
   */
  constructor(input: {
    readonly mock: string;
    readonly status: number;
    readonly sentence: string;
    readonly rows?: readonly BadRow[];
  }) {
    const { mock, status, sentence, rows = [] } = input;
    super('CONTROL_FAILED', {
      attempt: 'drive the mock',
      subject: mock,
      reason: `it answered ${status}`,
      remedy: 'Do as it says',
    });
    this.message = escapeControls(sentence);
    this.rows = rows;
  }
}
