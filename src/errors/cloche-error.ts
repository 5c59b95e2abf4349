import { escapeControls } from './console-text.ts';
import { errorRegistry, type ErrorCode } from './error-registry.ts';

/** What a {@link ClocheError} says, in the parts that its sentence is made of. */
export interface ErrorParts {
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
