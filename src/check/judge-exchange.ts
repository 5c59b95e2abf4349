import type { Route } from '../contract/create-router.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Framing } from '../http/send.ts';
import type { CheckContext } from './check-context.ts';
import { exchangeChecks } from './exchange-checks.ts';
import type { Judged } from './judged.ts';
import { readAnswer } from './read-answer.ts';
import { readRequest } from './read-request.ts';
import type { RequestReading } from './request-reading.ts';

/**
 * Judges an exchange, whoever made it.
 *
 * @param input.route - where the path of the request leads to, if anywhere
 * @param input.keyState - what is known of the key in the request, once its body was read
 */
export function judgeExchange(input: {
  readonly exchange: Exchange;
  readonly route: Route | undefined;
  readonly framing: Framing;
  readonly keyState: (reading: Omit<RequestReading, 'key'>) => RequestReading['key'];
  readonly context: CheckContext;
}): Judged {
  const { exchange, route, context } = input;
  const operation = route?.operations.get(exchange.request.method);
  const reading = readRequest({
    request: exchange.request,
    operation,
    pathParameters: route?.parameters ?? {},
    goodTokens: context.goodTokens,
    framing: input.framing,
  });
  const request = { ...reading, key: input.keyState(reading) };
  const answer = readAnswer(exchange.answer, operation);
  const subject = { exchange, operation, knowsPath: route !== undefined, request, answer };
  const findings = exchangeChecks.flatMap((check) => check(subject, context) ?? []);
  return { ...subject, findings };
}
