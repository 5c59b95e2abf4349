import { ClocheError } from '../errors/cloche-error.ts';

function carriesUserinfo(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') {
    return url.username !== '' || url.password !== '';
  }
  // What is no URL that is usable is shown by the sentence that says so.
  return /:.*@/u.test(text);
}

/**
 * Refuses a URL that carries a user and a password (RFC 3986 §3.2.1): it would be printed with every
 * request, and stay in the history of the shell.
 *
 * @param input.what - `the base URL`
 * @param input.remedy - what to give in its place
 * @throws ClocheError OPTION_INVALID; its sentence shows the URL without them
 */
export function refuseUserinfo(
  text: string,
  input: { readonly what: string; readonly remedy: string },
): void {
  if (!carriesUserinfo(text)) {
    return;
  }
  throw new ClocheError('OPTION_INVALID', {
    attempt: `read ${input.what}`,
    subject: text.replace(/^([a-z][a-z\d+.-]*:\/*)?.*@/iu, '$1***@'),
    reason: 'it carries a user or a password, which would stand in all that is printed',
    remedy: input.remedy,
  });
}
