import type { TextRange } from '../../json/locate-values.ts';

/** What is marked in one message of an exchange. */
export interface MessageMarks {
  /** The method and target of a request, the status of an answer. */
  readonly start?: boolean;
  /** Names of header fields, in lower case. */
  readonly headers?: readonly string[];
  /** Header fields that are not there and matter, as they are usually written. */
  readonly missing?: readonly string[];
  /** Stretches of the body as it is shown. */
  readonly body?: readonly TextRange[];
}

/** What is marked in an exchange: the parts that a finding is about. */
export interface ExchangeMarks {
  readonly request: MessageMarks;
  readonly answer: MessageMarks;
}
