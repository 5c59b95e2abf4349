import { findDocuments } from '../document/find-documents.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { quoteWord } from '../http/shell-quoting.ts';

/** Adds to an error about a service that the example document was used, because no document was given. */
export function mentionExample(
  error: unknown,
  input: {
    readonly document?: string | undefined;
    readonly policy?: string | undefined;
    readonly mount?: readonly string[];
    readonly 'base-url'?: string | undefined;
  },
): unknown {
  const { document, policy, mount = [], 'base-url': url } = input;
  const isExample = document === undefined && policy === undefined && mount.length === 0;
  if (!(error instanceof ClocheError) || error.code !== 'CANNOT_JUDGE' || !isExample || url === undefined) {
    return error;
  }
  const { code, attempt, subject, reason, remedy, cause } = error;
  const [found = 'openapi.yaml'] = findDocuments('.');
  const hint = `No document was given, so that of the example was used: give the one of the service with -d ${quoteWord(found)}`;
  return new ClocheError(code, { attempt, subject, reason, remedy: `${remedy}. ${hint}`, cause });
}
