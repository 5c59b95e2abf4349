import { createCredentialReplacement } from '../../contract/credentials.ts';
import { decodeQueryText } from '../../contract/parameters/parse-query.ts';
import type { HeaderList } from '../../http/header-list.ts';
import { createTextRedactor } from '../../http/redact.ts';
import type { LogContext, RawRequest } from './raw-request.ts';

/** The parts of a request that may hold credentials, without them. */
interface HiddenHead {
  /** As they came. */
  readonly fields: HeaderList;
  readonly headers: HeaderList;
  readonly target: string;
  /** Takes the credentials of the request, and the tokens of the mock, out of a text. */
  readonly hide: (text: string) => string;
}

/** What stands in the place of credentials in the log. */
export const hiddenMark = '***';
/** A shorter secret stands in words that are none. */
const shortestSecret = 6;

/** Names and values in turn, as a list of pairs. */
export function toPairs(fields: readonly string[]): HeaderList {
  return Array.from({ length: fields.length / 2 }, (_, index) => [
    fields[index * 2] ?? '',
    fields[index * 2 + 1] ?? '',
  ]);
}

/** Prepares the hiding of credentials in requests under one contract: of those that they carry, and of the mock's tokens. */
export function createHeadHider({ contract, tokens }: LogContext): {
  readonly credentials: ReturnType<typeof createCredentialReplacement>;
  /** The tokens that are looked for everywhere. */
  readonly known: readonly string[];
  readonly hideHead: (raw: RawRequest) => HiddenHead;
} {
  const credentials = createCredentialReplacement(contract);
  const known = tokens.filter((token) => token.length >= shortestSecret);
  let latest: { readonly secrets: readonly string[]; readonly hide: HiddenHead['hide'] } | undefined;

  /** Requests that follow each other most often carry the same credentials, and to prepare the search costs most. */
  function hiderOf(secrets: readonly string[]): HiddenHead['hide'] {
    const before = latest?.secrets;
    if (
      latest !== undefined &&
      before?.length === secrets.length &&
      secrets.every((secret, index) => secret === before[index])
    ) {
      return latest.hide;
    }
    const hide = createTextRedactor(secrets, hiddenMark);
    latest = { secrets, hide };
    return hide;
  }

  return {
    credentials,
    known,
    hideHead(raw) {
      const sent = new Set<string>();
      const replace = (secret: string): string => {
        // What answers repeat of it, they have decoded.
        sent.add(secret).add(decodeQueryText(secret));
        return hiddenMark;
      };
      const fields = toPairs(raw.fields);
      const headers = credentials.headers(fields, replace);
      const target = credentials.target(raw.target, replace);
      const hide = hiderOf([...known, ...[...sent].filter((secret) => secret.length >= shortestSecret)]);
      return { fields, headers, target: hide(target), hide };
    },
  };
}
