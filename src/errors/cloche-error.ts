import { escapeControls } from './console-text.ts';

/** The stable code of an error that the tool raises. A service that breaks its contract is a result without a code. */
export type ErrorCode =
  | 'DOCUMENT_UNREADABLE'
  | 'DOCUMENT_SYNTAX'
  | 'DOCUMENT_VERSION'
  | 'DOCUMENT_INVALID'
  | 'REFERENCE_REFUSED'
  | 'SCHEMA_UNUSABLE'
  | 'JSON_SYNTAX'
  | 'OPTION_INVALID'
  | 'CONFIGURATION_INVALID'
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
  | 'EXTENSION_FAILED'
  | 'INTERNAL';

/** The parts of the message of a {@link ClocheError}. */
interface ErrorParts {
  /** The attempted action, as an infinitive without "to": `read`, `listen on`. */
  readonly attempt: string;
  /** The object of the attempt: the offending value, which the message quotes. */
  readonly subject: string;
  /** The reason for the failure, without a full stop. */
  readonly reason: string;
  /** The remedy for the reader, without a full stop. */
  readonly remedy: string;
  /** The underlying error, if there is one. */
  readonly cause?: unknown;
}

/** Replaces the users and passwords of URLs in a text (RFC 3986 §3.2.1). */
function hideUserinfo(text: string): string {
  return text.replaceAll(/([a-z][a-z\d+.-]*:\/\/)[^\s/?#"[]*@/giu, '$1***@');
}

/**
 * The one error that the tool raises for a problem that a person can fix.
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
    // The quoted text may come from any source.
    const [subject, reason] = [hideUserinfo(parts.subject), hideUserinfo(parts.reason)];
    super(
      escapeControls(`Failed to ${parts.attempt} "${subject}": ${reason}. ${parts.remedy}.`),
      'cause' in parts ? { cause: parts.cause } : undefined,
    );
    this.code = code;
    this.attempt = parts.attempt;
    this.subject = subject;
    this.reason = reason;
    this.remedy = parts.remedy;
  }

  /** The exit code of a command: 2 usage or document, 3 service cannot be judged, 4 error in Cloche or an extension. */
  get exitCode(): 2 | 3 | 4 {
    if (this.code === 'INTERNAL' || this.code === 'EXTENSION_FAILED') return 4;
    return this.code === 'CANNOT_JUDGE' ? 3 : 2;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read',
};

/** Describes why a file could not be read, from the error that was thrown. */
export function describeReadFailure(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return reasons[code] ?? (cause instanceof Error ? cause.message : String(cause));
}
