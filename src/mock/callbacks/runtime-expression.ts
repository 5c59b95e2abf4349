import { decodePathText, decodeQueryText, parseQuery } from '../../http/query.ts';
import { resolvePointer } from '../../json/pointer.ts';
import { toText } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';

/** The exchange that a runtime expression is evaluated on. */
export interface CallbackExchange {
  /** The whole URL of the request. */
  readonly url: string;
  readonly method: string;
  readonly statusCode: number;
  readonly request: ExchangeMessage;
  readonly response: ExchangeMessage;
  /** The path parameters of the request, percent-encoded. */
  readonly path: Readonly<Record<string, string>>;
}

/** A message of an exchange. */
interface ExchangeMessage {
  /** Returns the value of a header field by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** The content; undefined if it is not structured. */
  readonly body: JsonValue | undefined;
}

/**
 * Evaluates a runtime expression, or a text with expressions in braces (OpenAPI 3.1 §4.8.20.4).
 *
 * @returns the text, or the first expression without a value in the exchange
 *
 * @example
 * evaluateTemplate('{$request.body#/url}?id={$response.body#/id}', exchange); // { text: 'http://127.0.0.1:9000/?id=7' }
 */
export function evaluateTemplate(
  template: string,
  exchange: CallbackExchange,
): { readonly text: string } | { readonly missing: string } {
  const whole = template.startsWith('$') ? `{${template}}` : template;
  let missing: string | undefined;
  const text = whole.replace(/\{(\$[^}]*)\}/gu, (_, expression: string) => {
    const value = evaluate(expression, exchange);
    if (value === undefined) missing ??= expression;
    return value ?? '';
  });
  return missing === undefined ? { text } : { missing };
}

function evaluate(expression: string, exchange: CallbackExchange): string | undefined {
  const { url, method, statusCode, path } = exchange;
  if (expression === '$url') return url;
  if (expression === '$method') return method;
  if (expression === '$statusCode') return String(statusCode);
  const [, side, place, name = ''] =
    /^\$(request|response)\.(body(?=$|#)|header\.|query\.|path\.)(.*)$/su.exec(expression) ?? [];
  const message = side === 'response' ? exchange.response : exchange.request;
  if (place === 'header.') return message.header(name.toLowerCase());
  if (place === 'body') {
    const value = message.body && resolvePointer(message.body, name.slice(1));
    // An optional URL may be null.
    return value === undefined || value === null ? undefined : toText(value);
  }
  if (place === undefined || side === 'response') return undefined;
  if (place === 'path.') return Object.hasOwn(path, name) ? decodePathText(path[name] ?? '') : undefined;
  const member = parseQuery(url).find(([raw]) => decodeQueryText(raw) === name);
  return member && decodeQueryText(member[1]);
}
