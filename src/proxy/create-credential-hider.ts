import type { Contract } from '../contract/contract.ts';
import { createRedactor, type Redactor } from '../http/create-redactor.ts';
import type { Exchange } from '../http/exchange.ts';
import type { HeaderList } from '../http/header-list.ts';
import { credentialFields } from './credential-fields.ts';
import { hiddenCredential } from './hidden-credential.ts';

/** Less than this stands in too many places by chance. */
const shortestSecret = 6;

interface Hidden {
  readonly headers: HeaderList;
  /** What was taken out. */
  readonly secrets: readonly string[];
}

/** A scheme stays, as it says what the credentials are (RFC 9110 §11.4). */
function hideValue(value: string): { readonly shown: string; readonly secrets: readonly string[] } {
  const [, scheme = '', rest = ''] = /^(\S+[ \t]+)?(.*)$/su.exec(value) ?? [];
  return rest === ''
    ? { shown: value, secrets: [] }
    : { shown: `${scheme}${hiddenCredential}`, secrets: [rest] };
}

/** The values of cookies; their names stay, and so do the attributes of one that is set (RFC 6265 §4.1.1). */
function hideCookies(
  value: string,
  isSet: boolean,
): { readonly shown: string; readonly secrets: readonly string[] } {
  const secrets: string[] = [];
  const pairs = value.split(';').map((pair, index) => {
    const at = pair.indexOf('=');
    if (at === -1 || (isSet && index > 0)) {
      return pair;
    }
    secrets.push(pair.slice(at + 1).trim());
    return `${pair.slice(0, at)}=${hiddenCredential}`;
  });
  return { shown: pairs.join(';'), secrets };
}

function hideIn(headers: HeaderList, names: ReadonlySet<string>): Hidden {
  const secrets: string[] = [];
  const shown = headers.map(([name, value]) => {
    const field = name.toLowerCase();
    if (!names.has(field)) {
      return [name, value] as const;
    }
    const isCookie = field === 'cookie' || field === 'set-cookie';
    const hidden = isCookie ? hideCookies(value, field === 'set-cookie') : hideValue(value);
    secrets.push(...hidden.secrets);
    return [name, hidden.shown] as const;
  });
  return secrets.length === 0 ? { headers, secrets } : { headers: shown, secrets };
}

/**
 * Creates what takes credentials out of exchanges: the fields and parameters that carry some by the document or by
 * custom, and what stood in them wherever else it comes again in the same exchange.
 */
export function createCredentialHider(
  contract: Pick<Contract, 'operations'>,
): (exchange: Exchange) => Exchange {
  const { fields, parameters } = credentialFields(contract);
  // Requests of one client carry the same credentials, one after the other.
  let last = { key: '', redactor: createRedactor([]) };

  function redactorOf(secrets: readonly string[]): Redactor {
    const key = secrets.join('\n');
    if (key !== last.key) {
      last = { key, redactor: createRedactor(secrets) };
    }
    return last.redactor;
  }

  function hideInTarget(target: string): { readonly target: string; readonly secrets: readonly string[] } {
    const secrets: string[] = [];
    const hidden = target.replaceAll(
      /([?&])([^=&#]*)=([^&#]*)/gu,
      (pair, start: string, name: string, value: string) => {
        if (value === '' || !parameters.has(name.toLowerCase())) {
          return pair;
        }
        secrets.push(value);
        return `${start}${name}=${hiddenCredential}`;
      },
    );
    return { target: hidden, secrets };
  }

  return (exchange) => {
    const { request, answer } = exchange;
    const sent = hideIn(request.headers, fields);
    const asked = hideInTarget(request.target);
    const came = answer.kind === 'response' ? hideIn(answer.response.headers, fields) : undefined;
    const secrets = [...sent.secrets, ...asked.secrets, ...(came?.secrets ?? [])];
    if (secrets.length === 0) {
      return exchange;
    }
    const redactor = redactorOf(secrets.filter(({ length }) => length >= shortestSecret));
    const { body } = request;
    return {
      ...exchange,
      request: {
        ...request,
        headers: redactor.headers(sent.headers),
        target: redactor.text(asked.target),
        body: body && redactor.bytes(body),
      },
      answer:
        answer.kind === 'response'
          ? {
              ...answer,
              response: {
                ...answer.response,
                headers: redactor.headers(came?.headers ?? []),
                body: redactor.bytes(answer.response.body),
              },
            }
          : answer,
    };
  };
}
