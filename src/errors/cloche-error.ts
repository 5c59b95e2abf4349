import { escapeControls } from './console-text.ts';

/** The stable code of an error that the tool can raise. */
export type ErrorCode =
  | 'DOCUMENT_UNREADABLE'
  | 'DOCUMENT_SYNTAX'
  | 'DOCUMENT_VERSION'
  | 'DOCUMENT_INVALID'
  | 'REFERENCE_REFUSED'
  | 'SCHEMA_UNUSABLE'
  | 'JSON_SYNTAX'
  | 'OPTION_INVALID'
  | 'POLICY_INVALID'
  | 'BASELINE_INVALID'
  | 'TRAFFIC_UNREADABLE'
  | 'PORT_UNAVAILABLE'
  | 'REPORT_UNWRITABLE'
  | 'DATA_INVALID'
  | 'STORE_UNUSABLE'
  | 'CONTROL_FAILED'
  | 'MOCK_CLOSED'
  | 'CANNOT_JUDGE'
  | 'INTERNAL';

/**
 * Every error that the tool itself can raise, with the exit code a command ends with when it meets it.
 * A finding is not in this list: a service that breaks its contract is a result, not an error of ours.
 *
 * Exit codes: 2 usage or document, 3 the service cannot be judged, 4 an internal error.
 */
const errorRegistry: Readonly<Record<ErrorCode, { readonly exitCode: 2 | 3 | 4; readonly about: string }>> = {
  DOCUMENT_UNREADABLE: { exitCode: 2, about: 'The document cannot be opened or fetched.' },
  DOCUMENT_SYNTAX: { exitCode: 2, about: 'The document is neither YAML nor JSON.' },
  DOCUMENT_VERSION: { exitCode: 2, about: 'The document is not OpenAPI 3.0 or 3.1.' },
  DOCUMENT_INVALID: { exitCode: 2, about: 'The document does not follow its own specification.' },
  REFERENCE_REFUSED: { exitCode: 2, about: 'A reference leads out of the folder of the document.' },
  SCHEMA_UNUSABLE: { exitCode: 2, about: 'A schema cannot be compiled.' },
  JSON_SYNTAX: { exitCode: 2, about: 'A text is not JSON.' },
  OPTION_INVALID: { exitCode: 2, about: 'An option has a value that it cannot take.' },
  POLICY_INVALID: { exitCode: 2, about: 'A policy names a question or an answer that there is not.' },
  BASELINE_INVALID: {
    exitCode: 2,
    about: 'A baseline cannot be read or written, or names what is no finding.',
  },
  TRAFFIC_UNREADABLE: { exitCode: 2, about: 'A record of traffic cannot be read, or is no HAR file.' },
  PORT_UNAVAILABLE: { exitCode: 2, about: 'The mock or the proxy cannot listen where it was told to.' },
  REPORT_UNWRITABLE: { exitCode: 2, about: 'A report cannot be written where it was told to.' },
  DATA_INVALID: { exitCode: 2, about: 'Data cannot be read, or the contract does not take it.' },
  STORE_UNUSABLE: { exitCode: 2, about: 'A store cannot be opened, or does not answer.' },
  CONTROL_FAILED: {
    exitCode: 2,
    about: 'A running mock cannot be reached, or does not do what it was asked.',
  },
  MOCK_CLOSED: { exitCode: 2, about: 'A mock is asked for something after it was closed.' },
  CANNOT_JUDGE: { exitCode: 3, about: 'The service under test cannot be judged.' },
  INTERNAL: { exitCode: 4, about: 'Cloche itself is wrong.' },
};

/** What a {@link ClocheError} says, in the parts that its sentence is made of. */
interface ErrorParts {
  /** What was attempted, as an infinitive without "to": `read`, `listen on`. */
  readonly attempt: string;
  /** What it was attempted on; the offending value, quoted in the sentence. */
  readonly subject: string;
  /** Why it failed, without a full stop. */
  readonly reason: string;
  /** What the reader can do about it, without a full stop. */
  readonly remedy: string;
  /** The error underneath, if there is one. */
  readonly cause?: unknown;
}

/**
 * The one error that the tool raises for something a person can mend.
 *
 * Its message is `Failed to <attempt> "<subject>": <reason>. <Remedy>.`
 *
 * @example
 * new ClocheError('PORT_UNAVAILABLE', {
 *   attempt: 'listen on', subject: '127.0.0.1:4010',
 *   reason: 'another program has the port', remedy: 'Choose another with --port, or 0 for any free one',
 * });
 */
export class ClocheError extends Error {
  override readonly name = 'ClocheError';
  readonly code: ErrorCode;
  readonly attempt: string;
  readonly subject: string;
  readonly reason: string;
  readonly remedy: string;

  constructor(code: ErrorCode, parts: ErrorParts) {
    super(
      // What is quoted in it may be anybody's text.
      escapeControls(`Failed to ${parts.attempt} "${parts.subject}": ${parts.reason}. ${parts.remedy}.`),
      'cause' in parts ? { cause: parts.cause } : undefined,
    );
    this.code = code;
    this.attempt = parts.attempt;
    this.subject = parts.subject;
    this.reason = parts.reason;
    this.remedy = parts.remedy;
  }

  /** The exit code of a command that ends with this error. */
  get exitCode(): 2 | 3 | 4 {
    return errorRegistry[this.code].exitCode;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read',
};

/** Says why a file could not be read, from what reading it threw. */
export function describeReadFailure(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return reasons[code] ?? (cause instanceof Error ? cause.message : String(cause));
}
