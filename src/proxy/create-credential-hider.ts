import type { Contract } from '../contract/contract.ts';
import { decodeQueryText } from '../contract/parameters/parse-query.ts';
import type { Answer } from '../http/answer.ts';
import { createRedactor, type Redactor } from '../http/create-redactor.ts';
import type { Exchange } from '../http/exchange.ts';
import type { HeaderList } from '../http/header-list.ts';
import { redacted } from '../http/redact.ts';
import { credentialFields } from './credential-fields.ts';

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
  return rest === '' ? { shown: value, secrets: [] } : { shown: `${scheme}${redacted}`, secrets: [rest] };
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
    return `${pair.slice(0, at)}=${redacted}`;
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

/** The fields of an answer that broke off or is none, as far as what came of it looks like a head. */
function readFields(received: Uint8Array): HeaderList {
  const [head = ''] = new TextDecoder('latin1').decode(received).split(/\r?\n\r?\n/u, 1);
  return head.split(/\r?\n/u).flatMap((line) => {
    const [, name = '', value = ''] = /^([^\s:]+):[ \t]*(.*)$/u.exec(line) ?? [];
    return name === '' ? [] : [[name, value.trim()] as const];
  });
}

/** Takes secrets out of all that came. */
function hideInAnswer(answer: Answer, headers: HeaderList, redactor: Redactor): Answer {
  switch (answer.kind) {
    case 'response': {
      const { response, trailing } = answer;
      return {
        kind: 'response',
        response: { ...response, headers: redactor.headers(headers), body: redactor.bytes(response.body) },
        ...(trailing === undefined ? {} : { trailing: redactor.bytes(trailing) }),
      };
    }
    case 'timed-out':
    case 'dropped':
    case 'not-http':
      return { ...answer, received: redactor.bytes(answer.received) };
    case 'unreachable':
      return answer;
  }
}

function fieldsOf(answer: Answer): HeaderList {
  switch (answer.kind) {
    case 'response':
      return answer.response.headers;
    case 'timed-out':
    case 'dropped':
    case 'not-http':
      return readFields(answer.received);
    case 'unreachable':
      return [];
  }
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
        if (value === '' || !parameters.has(decodeQueryText(name).toLowerCase())) {
          return pair;
        }
        secrets.push(value, decodeQueryText(value));
        return `${start}${name}=${redacted}`;
      },
    );
    return { target: hidden, secrets };
  }

  return (exchange) => {
    const { request, answer } = exchange;
    const sent = hideIn(request.headers, fields);
    const asked = hideInTarget(request.target);
    const came = hideIn(fieldsOf(answer), fields);
    const secrets = [...sent.secrets, ...asked.secrets, ...came.secrets];
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
      answer: hideInAnswer(answer, came.headers, redactor),
    };
  };
}
