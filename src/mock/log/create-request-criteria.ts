import { decodeUtf8 } from '../../http/decode-utf8.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { parseJson } from '../../json/parse-json.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { shorten } from '../content/shorten.ts';
import { pathOf } from '../steps/path-of.ts';
import { findJsonDifference } from './find-json-difference.ts';
import type { LoggedRequest } from './logged-request.ts';
import type { RawRequest } from './raw-request.ts';
import type { RequestFilter } from './request-log.ts';
import { verdictOf } from './verdict-of.ts';

/** One thing that is asked of a request. */
export interface RequestCriterion {
  readonly fits: (raw: RawRequest) => boolean;
  /** Of a request that does not fit, what about it differs. It may hold secrets. */
  readonly describe: (raw: RawRequest) => string;
}

function quote(text: string | undefined): string {
  return text === undefined ? 'none' : JSON.stringify(shorten(text));
}

function show(value: JsonValue | undefined): string {
  return value === undefined ? 'not there' : shorten(stringifyJson(value));
}

/** The text of the content; undefined where there is none, or it is no text. */
function textOf({ content }: RawRequest): string | undefined {
  return content === undefined || typeof content === 'string' ? undefined : decodeUtf8(content);
}

function criterion<T>(
  what: string,
  expected: T | undefined,
  valueOf: (raw: RawRequest) => T | undefined,
): readonly RequestCriterion[] {
  return expected === undefined
    ? []
    : [
        {
          fits: (raw) => valueOf(raw) === expected,
          describe: (raw) => `its ${what} is ${String(valueOf(raw) ?? 'none')}, not ${String(expected)}`,
        },
      ];
}

function templateOf({ answer, context }: RawRequest): string | undefined {
  const { operation } = answer.note;
  return operation === undefined
    ? undefined
    : context.contract.operations.find(({ id }) => id === operation)?.path.template;
}

function pathCriterion(path: string): RequestCriterion {
  return {
    fits: (raw) => pathOf(raw.target) === path || templateOf(raw) === path,
    describe: (raw) => `its path is ${shorten(pathOf(raw.target))}, not ${path}`,
  };
}

function bodyCriterion(expected: JsonValue): RequestCriterion {
  const read = (raw: RawRequest): JsonValue | undefined => {
    const text = textOf(raw);
    const parsed = text === undefined ? undefined : parseJson(text, { explains: false });
    return parsed?.kind === 'json' ? parsed.value : undefined;
  };
  return {
    fits(raw) {
      const body = read(raw);
      return body !== undefined && findJsonDifference(body, expected) === undefined;
    },
    describe(raw) {
      const body = read(raw);
      if (body === undefined) {
        const { content } = raw;
        return content === 'not-read' ? 'its body was not read' : `it has no body that is JSON`;
      }
      const difference = findJsonDifference(body, expected);
      const place = difference?.pointer === '' ? 'its body' : `${difference?.pointer ?? ''} of its body`;
      return `${place} is ${show(difference?.actual)}, not ${show(difference?.expected)}`;
    },
  };
}

function headerCriterion(name: string, expected: string): RequestCriterion {
  const wanted = name.toLowerCase();
  const read = ({ fields }: RawRequest): readonly string[] =>
    fields.filter((_, index) => index % 2 === 1 && fields[index - 1]?.toLowerCase() === wanted);
  return {
    fits(raw) {
      const values = read(raw);
      return values.includes(expected) || (values.length > 1 && values.join(', ') === expected);
    },
    describe(raw) {
      const values = read(raw);
      return values.length === 0
        ? `it has no header ${name}`
        : `its header ${name} is ${quote(values.join(', '))}, not ${quote(expected)}`;
    },
  };
}

function searchCriterion(search: string, read: (raw: RawRequest) => LoggedRequest): RequestCriterion {
  const wanted = search.toLowerCase();
  const holds = (texts: readonly (string | undefined)[]): boolean =>
    texts.some((text) => text?.toLowerCase().includes(wanted) === true);
  return {
    fits(raw) {
      // To take the secrets out of each request would take long, and nobody is to find requests by them.
      if (!holds([raw.target, raw.answer.note.message, textOf(raw)])) {
        return false;
      }
      const { target, message, request } = read(raw);
      return holds([target, message, request.body]);
    },
    describe: () => `nothing about it holds ${quote(search)}`,
  };
}

/**
 * Takes a filter apart.
 *
 * @param read - shows a request without its secrets
 */
export function createRequestCriteria(
  filter: RequestFilter,
  read: (raw: RawRequest) => LoggedRequest,
): readonly RequestCriterion[] {
  const { after, path, body, headers = {}, search } = filter;
  return [
    ...(after === undefined
      ? []
      : [
          {
            fits: (raw: RawRequest) => raw.id > after,
            describe: () => `it came before the request with the id ${after} had been answered`,
          },
        ]),
    ...criterion('method', filter.method?.toUpperCase(), ({ method }) => method.toUpperCase()),
    ...(path === undefined ? [] : [pathCriterion(path)]),
    ...criterion('operation', filter.operation, ({ answer }) => answer.note.operation),
    ...criterion('status', filter.status, ({ answer }) => answer.status),
    ...criterion('verdict', filter.verdict, ({ answer }) => verdictOf(answer.note)),
    ...criterion<string>('condition', filter.condition, ({ answer }) => answer.note.condition),
    ...Object.entries(headers).map(([name, value]) => headerCriterion(name, value)),
    ...(body === undefined ? [] : [bodyCriterion(body)]),
    ...(search === undefined || search === '' ? [] : [searchCriterion(search, read)]),
  ];
}
