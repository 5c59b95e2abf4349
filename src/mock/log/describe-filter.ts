import { stringifyJson } from '../../json/stringify-json.ts';
import { shorten } from '../content/shorten.ts';
import type { RequestFilter } from './request-log.ts';

/** Says which requests a filter means: `POST /orders with status 400`. Values of headers are left out: they may be secrets. */
export function describeFilter(filter: RequestFilter): string {
  const { method, path, operation, headers = {}, body, after } = filter;
  const subject = [method?.toUpperCase(), path].filter((word) => word !== undefined).join(' ');
  const further = [
    ...(operation === undefined ? [] : [`operation ${operation}`]),
    ...(filter.status === undefined ? [] : [`status ${filter.status}`]),
    ...(filter.verdict === undefined ? [] : [`verdict ${filter.verdict}`]),
    ...(filter.condition === undefined ? [] : [`condition ${filter.condition}`]),
    ...Object.keys(headers).map((name) => `header ${shorten(name)}`),
    ...(body === undefined ? [] : [`a body that holds ${shorten(stringifyJson(body))}`]),
    ...(filter.search === undefined ? [] : [`the text ${JSON.stringify(shorten(filter.search))}`]),
  ];
  const words = further.length === 0 ? '' : ` with ${further.join(', ')}`;
  const since = after === undefined ? '' : ` after request ${after}`;
  return `${subject === '' ? 'a request' : shorten(subject)}${words}${since}`;
}
