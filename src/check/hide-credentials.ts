import type { Contract } from '../contract/contract.ts';
import { createCredentialReplacement } from '../contract/credentials.ts';
import { decodeQueryText } from '../http/query.ts';
import type { Answer, Exchange, HeaderList, HttpRequest } from '../http/message.ts';
import { createRedactor, redacted, type Redactor } from '../http/redact.ts';
import type { CheckedExchange } from './classify/subject.ts';

/** Shorter secrets are likely to be parts of other words. */
const shortestSecret = 6;
/** The number of recent secrets that are searched in later exchanges; each costs a scan of every character. */
const mostKnown = 100;
/** The number of recent values sent by the run itself that are remembered. */
const mostOwn = 10_000;

/** Removes credentials from the exchanges that reports show. */
export interface CredentialHider {
  /** Notes the credentials of an exchange. Exchanges shown before it then hide them too. */
  readonly learn: (exchange: Exchange) => void;
  readonly exchange: (exchange: Exchange) => Exchange;
  /** Removes them from the texts of the findings, too. */
  readonly judged: (judged: CheckedExchange) => CheckedExchange;
}

/**
 * Creates a hider of credentials. It hides header fields, parameters and members that contain credentials by the
 * document or by convention. It also hides the same values in the rest of the exchange and in exchanges shown later.
 *
 * @param options.isOfRun - whether a run made the requests. If so, requests and responses that repeat their values stay
 * unchanged: a run generates its values, and the caller hides the credentials that it configured.
 */
export function createCredentialHider(
  contract: Pick<Contract, 'root'>,
  options: { readonly isOfRun?: boolean } = {},
): CredentialHider {
  const { isOfRun = false } = options;
  const credentials = createCredentialReplacement(contract);
  const known = new Set<string>();
  const own = new Set<string>();
  /** Redacts all known secrets. Creating it costs more than using it. */
  let redactor: Redactor | undefined;
  let hasAny = false;

  function note(secret: string): string {
    if (own.has(secret)) return secret;
    hasAny = true;
    for (const spelling of [secret, decodeQueryText(secret)]) {
      // Samples are often plain words, such as "string" or "password".
      if (spelling.length < shortestSecret || /^[a-z]*$/u.test(spelling) || known.has(spelling)) continue;
      known.add(spelling);
      redactor = undefined;
      forgetOldest(known, mostKnown);
    }
    return redacted;
  }

  function noteOwn(value: string): string {
    own.add(value).add(decodeQueryText(value));
    forgetOldest(own, mostOwn);
    return value;
  }

  /** Replaces the credentials at their known places. */
  function replace({ request, answer }: Exchange): {
    readonly sent: HttpRequest;
    readonly came: HeaderList;
    /** The content of a response. */
    readonly content: Uint8Array | undefined;
  } {
    const noteSent = isOfRun ? noteOwn : note;
    const sent = {
      ...request,
      headers: credentials.headers(request.headers, noteSent),
      target: credentials.target(request.target, noteSent),
      body: request.body && credentials.content(request.body, request.headers, noteSent),
    };
    const fields = fieldsOf(answer);
    const came = credentials.headers(fields, note);
    const content =
      answer.kind === 'response' ? credentials.content(answer.response.body, fields, note) : undefined;
    return { sent, came, content };
  }

  function toRedactor(): Redactor {
    redactor ??= createRedactor([...known]);
    return redactor;
  }

  function hideExchange(exchange: Exchange): Exchange {
    const { sent, came, content } = replace(exchange);
    if (!hasAny) return exchange;
    const { request, answer } = exchange;
    const { headers, text, bytes } = toRedactor();
    const shown = {
      ...sent,
      headers: headers(sent.headers),
      target: text(sent.target),
      body: sent.body && bytes(sent.body),
    };
    return {
      ...exchange,
      request: isOfRun ? request : shown,
      answer: hideInAnswer({ answer, headers: came, content, redactor: toRedactor() }),
    };
  }

  return {
    learn: (exchange) => void replace(exchange),
    exchange: hideExchange,
    judged(judged) {
      const exchange = hideExchange(judged.exchange);
      if (exchange === judged.exchange) return judged;
      const { text } = toRedactor();
      const findings = judged.findings.map((finding) => ({
        ...finding,
        expected: text(finding.expected),
        received: text(finding.received),
      }));
      const { answer: came } = exchange;
      const { answer } = judged;
      if (came.kind === 'response' && answer.kind === 'response') {
        return { ...judged, exchange, findings, answer: { ...answer, response: came.response } };
      }
      return came.kind === 'response' || answer.kind === 'response'
        ? { ...judged, exchange, findings }
        : { ...judged, exchange, findings, answer: { ...answer, answer: came } };
    },
  };
}

function forgetOldest(values: Set<string>, most: number): void {
  for (const oldest of values) {
    if (values.size <= most) return;
    values.delete(oldest);
  }
}

/** The maximum length of a response head; later bytes are not read as one. */
const mostHeadBytes = 256 * 1024;

/** Returns the header fields of an answer. If there is no complete response, parses the received bytes as a head. */
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

function hideInAnswer(input: {
  readonly answer: Answer;
  readonly headers: HeaderList;
  /** The content of a response, without the secrets in its members. */
  readonly content: Uint8Array | undefined;
  readonly redactor: Redactor;
}): Answer {
  const { answer, headers, content, redactor } = input;
  if (answer.kind === 'unreachable') return answer;
  if (answer.kind !== 'response') return { ...answer, received: redactor.bytes(answer.received) };
  const { response, trailing } = answer;
  const body = redactor.bytes(content ?? response.body);
  return {
    kind: 'response',
    response: { ...response, headers: redactor.headers(headers), body },
    ...(trailing === undefined ? {} : { trailing: redactor.bytes(trailing) }),
  };
}
