import type { Exchange } from '../http/exchange.ts';
import { redactText } from '../http/redact.ts';
import { toCurl } from '../http/to-curl.ts';
import type { LearntExchange } from './learnt.ts';

/** A longer line is not kept: it would hold a body that white space makes long. */
const longestLine = 1_000;

/**
 * An exchange as evidence, without secrets.
 *
 * @param surroundings.secrets - the token first
 */
export function showExchange(
  { request, answer }: Exchange,
  { baseUrl, secrets }: { readonly baseUrl: string; readonly secrets: readonly string[] },
): LearntExchange {
  const isShort = (request.body?.length ?? 0) < longestLine;
  const curl = isShort ? redactText(toCurl({ request, baseUrl, secrets }), secrets) : '';
  return {
    request: redactText(`${request.method} ${request.target}`, secrets),
    status: answer.kind === 'response' ? answer.response.status : 0,
    ...(isShort && curl.length <= longestLine ? { curl } : {}),
  };
}
