import type { Operation, SecurityAlternative, SecurityScheme } from '../../contract/contract.ts';
import { headerValue, type HttpRequest } from '../../http/message.ts';
import type { CredentialsReading } from './subject.ts';

/** From the best to the worst; the reading of several schemes together is the worst of them. */
const ranks: readonly CredentialsReading[] = [
  'not-required',
  'good',
  'good-unusual',
  'unjudged',
  'unknown-token',
  'other',
  'missing',
];

function worst(readings: readonly CredentialsReading[]): CredentialsReading {
  return ranks[Math.max(0, ...readings.map((reading) => ranks.indexOf(reading)))] ?? 'missing';
}

function best(readings: readonly CredentialsReading[]): CredentialsReading {
  return ranks[Math.min(...readings.map((reading) => ranks.indexOf(reading)))] ?? 'not-required';
}

function readAuthorization(
  value: string | undefined,
  scheme: string,
  good: readonly string[],
): CredentialsReading {
  if (value === undefined) return 'missing';
  const [, name = '', space = '', token = ''] = /^(\S*)([ \t]*)(.*)$/su.exec(value.trim()) ?? [];
  if (name.toLowerCase() !== scheme.toLowerCase() || token === '') return 'other';
  if (!good.includes(token)) return 'unknown-token';
  return name === scheme && space === ' ' ? 'good' : 'good-unusual';
}

function readApiKey(request: HttpRequest, scheme: SecurityScheme & { kind: 'api-key' }): string | undefined {
  switch (scheme.in) {
    case 'header':
      return headerValue(request.headers, scheme.parameter);
    case 'query':
      return new URLSearchParams(request.target.split('?')[1] ?? '').get(scheme.parameter) ?? undefined;
    case 'cookie': {
      const cookies = (headerValue(request.headers, 'cookie') ?? '')
        .split(/; */u)
        .map((pair) => pair.split('='));
      return cookies.find(([name]) => name === scheme.parameter)?.[1];
    }
  }
}

function readScheme(
  request: HttpRequest,
  scheme: SecurityScheme,
  good: readonly string[],
): CredentialsReading {
  switch (scheme.kind) {
    case 'bearer':
      return readAuthorization(headerValue(request.headers, 'authorization'), 'Bearer', good);
    case 'basic': {
      const encoded = good.map((pair) => btoa(pair));
      return readAuthorization(headerValue(request.headers, 'authorization'), 'Basic', encoded);
    }
    case 'api-key': {
      const key = readApiKey(request, scheme);
      if (key === undefined || key === '') return 'missing';
      return good.includes(key) ? 'good' : 'unknown-token';
    }
    case 'unjudged':
      return 'unjudged';
  }
}

/**
 * Reads the credentials of a request as its operation asks for them (OpenAPI 3.1 §4.8.30).
 *
 * @param good - the tokens (for basic authentication `user:password`) that are known to be accepted
 */
export function readCredentials(
  request: HttpRequest,
  operation: Operation,
  good: readonly string[],
): CredentialsReading {
  if (operation.security.length === 0) return 'not-required';
  const readAll = (alternative: SecurityAlternative): CredentialsReading =>
    worst(alternative.map((scheme) => readScheme(request, scheme, good)));
  return best(operation.security.map(readAll));
}
