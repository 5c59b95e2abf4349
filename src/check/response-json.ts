import type { ContentFault } from '../http/content-fault.ts';
import { nameOperation } from './describe-subject.ts';
import type { ExchangeCheck, Subject } from './exchange-check.ts';
import type { Clause } from './finding.ts';

/** What of content that is sent as JSON cannot be read. */
interface Unreadable {
  readonly clause: Clause;
  /** In words, after "with content that is". */
  readonly words: string;
  readonly cause: string;
}

/**
 * Content that is not in the coding that it is said to be in. One that is not known here, or too long, is not
 * judged: a request without Accept-Encoding takes any coding (RFC 9110 §12.5.3).
 */
function unreadableCoding({ coding, reason }: ContentFault): Unreadable | undefined {
  if (reason !== 'broken') {
    return undefined;
  }
  return {
    clause: {
      kind: 'rfc',
      name: 'RFC 9110',
      section: '8.4',
      quote:
        'what decoding mechanisms have to be applied in order to obtain data in the media type referenced by ' +
        'the Content-Type header field',
    },
    words: `not in ${coding}, though Content-Encoding says so: it is not one JSON text`,
    cause: `broken ${coding}`,
  };
}

function findUnreadable(subject: Subject): Unreadable | undefined {
  const { answer } = subject;
  if (answer.kind === 'none') {
    return undefined;
  }
  const { content } = answer;
  switch (content.kind) {
    case 'none':
    case 'json':
    case 'cut':
    case 'other':
      return undefined;
    case 'undecoded':
      return unreadableCoding(content.fault);
    case 'not-utf8':
      return {
        clause: {
          kind: 'rfc',
          name: 'RFC 8259',
          section: '8.1',
          quote: 'JSON text … MUST be encoded using UTF-8',
        },
        words: 'not UTF-8',
        cause: 'not-utf8',
      };
    case 'not-json': {
      const { reason, line, column } = content.problem;
      return {
        clause: {
          kind: 'rfc',
          name: 'RFC 8259',
          section: '2',
          quote: 'A JSON text is a serialized value',
        },
        words: `not JSON: ${reason} (line ${line}, column ${column})`,
        cause: 'not-json',
      };
    }
  }
}

/**
 * Finds content that is sent as JSON and is none: not one JSON text, not in UTF-8 (RFC 8259 §2, §8.1), or not
 * in the content coding that Content-Encoding names (RFC 9110 §8.4).
 *
 * @example NaN in an answer of application/json
 */
export const checkResponseJson: ExchangeCheck = (subject) => {
  const { answer } = subject;
  const unreadable = findUnreadable(subject);
  if (answer.kind === 'none' || unreadable === undefined) {
    return undefined;
  }
  const { status } = answer.response;
  return {
    check: 'response-json',
    level: 'violation',
    operation: nameOperation(subject),
    clause: unreadable.clause,
    expected: 'one JSON text in UTF-8',
    received: `${status} with content that is ${unreadable.words}`,
    cause: `${status} ${unreadable.cause}`,
  };
};
