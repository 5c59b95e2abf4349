import type { LoggedMessage } from './logged-request.ts';

/** Says why the content of a message is not shown where there is some, as a sentence. */
export function explainMissing({ missing }: Pick<LoggedMessage, 'missing'>): string {
  switch (missing) {
    case 'not-read':
      return 'It was not read: what came before it decided the answer.';
    case 'too-large':
      return 'It was not read to its end: it is larger than the policy allows.';
    case 'not-kept':
      return 'It is larger than what the log keeps.';
    case undefined:
      return 'It is no UTF-8 text.';
  }
}
