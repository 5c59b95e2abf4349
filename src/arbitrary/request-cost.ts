import { bodyCost } from './body-cost.ts';
import type { RequestCase } from './request-case.ts';

/** A field that a plain request has says more by its absence than by its value. */
const missingField = 100;

/**
 * How much there is to read in a request.
 *
 * @param usual - a plain request to the same operation, whose header fields cost nothing
 */
export function requestCost(request: RequestCase, usual: RequestCase | undefined): number {
  const usualFields = new Set(usual?.headers.map((field) => field.join(':')));
  const fields = request.headers.map((field) => field.join(':'));
  const unusual = fields.filter((field) => !usualFields.has(field));
  const missing = [...usualFields].filter((field) => !fields.includes(field));
  return (
    request.target.length +
    unusual.join('\n').length +
    missing.length * missingField +
    (request.credentials.kind === 'good' ? 0 : 1) +
    (request.framing === 'content-length' ? 0 : 1) +
    (request.body === undefined ? 0 : bodyCost(request.body))
  );
}
