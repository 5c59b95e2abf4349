import { escapeControls } from './console-text.ts';

/** The stable code of an error that the tool can raise. A service that breaks its contract is a result, and has none. */
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

  /** Of a command that ends with this error: 2 usage or document, 3 the service cannot be judged, 4 an internal error. */
  get exitCode(): 2 | 3 | 4 {
    return this.code === 'INTERNAL' ? 4 : this.code === 'CANNOT_JUDGE' ? 3 : 2;
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
