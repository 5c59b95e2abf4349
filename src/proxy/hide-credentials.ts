import type { Contract } from '../contract/contract.ts';
import { createCredentialReplacement } from '../contract/credentials.ts';
import { decodeQueryText } from '../contract/read-parameters.ts';
import type { Answer, Exchange, HeaderList, HttpRequest } from '../http/message.ts';
import { createRedactor, redacted, type Redactor } from '../http/redact.ts';

/** Less than this stands in too many places by chance. */
const shortestSecret = 6;
/** So many secrets are looked for in what comes after them, the latest; each costs a look at every character. */
const mostKnown = 100;

/**
 * Creates what takes credentials out of exchanges: the fields and parameters that carry some by the document or by
 * custom, and what stood in them wherever else it comes in the same exchange, or in one that is shown later.
 */
export function createCredentialHider(
  contract: Pick<Contract, 'operations'>,
): (exchange: Exchange) => Exchange {
  const credentials = createCredentialReplacement(contract);
  const known = new Set<string>();
  let redactor = createRedactor([]);
  let hasAny = false;

  function note(secret: string): string {
    hasAny = true;
    const spellings = [secret, decodeQueryText(secret)].filter(({ length }) => length >= shortestSecret);
    const fresh = spellings.filter((spelling) => !known.has(spelling));
    if (fresh.length > 0) {
      fresh.forEach((spelling) => known.add(spelling));
      [...known].slice(0, Math.max(0, known.size - mostKnown)).forEach((oldest) => known.delete(oldest));
      redactor = createRedactor([...known]);
    }
    return redacted;
  }

  return (exchange) => {
    const { request, answer } = exchange;
    const sent = credentials.headers(request.headers, note);
    const target = credentials.target(request.target, note);
    const came = credentials.headers(fieldsOf(answer), note);
    if (!hasAny) return exchange;
    const { body } = request;
    return {
      ...exchange,
      request: {
        ...request,
        headers: redactor.headers(sent),
        target: redactor.text(target),
        body: body && redactor.bytes(body),
      },
      answer: hideInAnswer(answer, came, redactor),
    };
  };
}

/** What is taken for a head is no longer than one may be. */
const mostHeadBytes = 256 * 1024;

/** The fields of an answer; of one that broke off or is none, as far as what came of it looks like a head. */
function fieldsOf(answer: Answer): HeaderList {
  if (answer.kind === 'response') return answer.response.headers;
  if (answer.kind === 'unreachable') return [];
  const beginning = answer.received.subarray(0, mostHeadBytes);
  const [head = ''] = new TextDecoder('latin1').decode(beginning).split(/\r?\n\r?\n/u, 1);
  return head.split(/\r?\n/u).flatMap((line) => {
    const [, name = '', value = ''] = /^([^\s:]+):[ \t]*(.*)$/u.exec(line) ?? [];
    return name === '' ? [] : [[name, value.trim()] as const];
  });
}

function hideInAnswer(answer: Answer, headers: HeaderList, redactor: Redactor): Answer {
  if (answer.kind === 'unreachable') return answer;
  if (answer.kind !== 'response') return { ...answer, received: redactor.bytes(answer.received) };
  const { response, trailing } = answer;
  return {
    kind: 'response',
    response: { ...response, headers: redactor.headers(headers), body: redactor.bytes(response.body) },
    ...(trailing === undefined ? {} : { trailing: redactor.bytes(trailing) }),
  };
}

/** Fields of a connection, and those by which a browser says what it is; whoever sends the request again has its own. */
const ofTheClient =
  /^(?:host|connection|keep-alive|proxy-connection|te|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|priority|dnt|upgrade-insecure-requests|sec-.*)$/iu;

/** A request of traffic as it is sent again by hand, without what belongs to whoever sent it. */
export function toRepeatableRequest(request: HttpRequest): HttpRequest {
  return { ...request, headers: request.headers.filter(([name]) => !ofTheClient.test(name)) };
}
