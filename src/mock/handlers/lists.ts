import { concreteCollection } from '../../contract/router.ts';
import type { OperationKind } from '../../contract/contract.ts';
import { undeclaredFinder } from '../../contract/list-parameters.ts';
import { declaresRefusal, findSuccessResponse, statusOf } from '../../contract/responses.ts';
import { stringifyJson } from '../../json/print.ts';
import { chooseSentMedia } from '../answer/representation.ts';
import { requestSchema, responseSchema } from '../answer/shown-item.ts';
import { sampleValue } from '../../schema/value/sample-value.ts';
import { foldSchema } from '../../schema/merge.ts';
import {
  type BrokenClause,
  type MaybePromise,
  type MockResponse,
  policyClause,
  shorten,
  whenThere,
} from '../message.ts';
import { type HandlerInput } from './items.ts';
import { createConditions } from './list-conditions.ts';
import { type ListEnvelope, type ListFields, prepareEnvelope, prepareFields } from './list-envelope.ts';
import { describePage, type PageEnd } from './list-links.ts';
import { findPage, type FoundPage } from './list-pages.ts';
import { ListPrinter, type ListText } from './list-text.ts';
import { type ListQuery, prepareListQuery } from './list-query.ts';
import { markMismatch, markSample } from './resource-view.ts';
import { type OperationHandler, sourceOf, type ValidRequest } from './stored-form.ts';

type ListKind = Extract<OperationKind, { kind: 'list' }>;

/** Values prepared with the first request: most operations of a document are never called. */
interface PreparedList extends ReturnType<typeof prepareListQuery> {
  readonly envelope: ListEnvelope;
  readonly fields: ListFields;
}

/** A list that a request selects. */
interface Selection {
  readonly request: ValidRequest;
  readonly collection: string;
  readonly query: ListQuery;
  readonly scope: string;
}

/**
 * Prepares the lists of a collection. The items are in the order of creation, filtered, sorted and cut by the declared
 * parameters, in the envelope of the response.
 *
 * @throws ClocheError SCHEMA_UNUSABLE if the schema of the response cannot be compiled
 */
export function prepareList(input: HandlerInput<ListKind>): OperationHandler {
  const handler = new ListHandler(prepareParts(input));
  return (request) => handler.list(request);
}

/** Prepares the values that the requests of an operation share. */
function prepareParts(input: HandlerInput<ListKind>) {
  const { operation, kind, policy, reading } = input;
  const response = findSuccessResponse(operation);
  const sent = chooseSentMedia(response?.media ?? []);
  const { list, resource } = kind;
  return {
    ...input,
    response,
    sent,
    status: response === undefined ? 200 : statusOf(response),
    contentType: sent === undefined ? [] : ['Content-Type', sent.contentType],
    note: { operation: operation.id },
    printer: new ListPrinter({ sent, list, key: resource.key, reading, pointer: operation.pointer }),
    // The document accepts any text in a request, so only a declared error response may reject one.
    mayRefuse: declaresRefusal(operation),
    findUnknown: policy['unknown-query-parameter'] === 'refuse' ? undeclaredFinder(operation) : undefined,
  };
}

class ListHandler {
  readonly #parts: ReturnType<typeof prepareParts>;
  #prepared: PreparedList | undefined;

  constructor(parts: ReturnType<typeof prepareParts>) {
    this.#parts = parts;
  }

  list(request: ValidRequest): MaybePromise<MockResponse> {
    const { findUnknown, kind, mayRefuse } = this.#parts;
    const unknown = findUnknown?.(request.head.target);
    if (unknown !== undefined) {
      const clause = policyClause('unknown-query-parameter', 'refuse');
      return this.#refuse(unknown, `"${shorten(unknown)}" is not declared`, clause);
    }
    this.#prepared ??= this.#prepare();
    const query = this.#prepared.read(sourceOf(request));
    if (query.unsortable !== undefined && mayRefuse) {
      const { parameter, text } = query.unsortable;
      return this.#refuse(parameter, `"${shorten(parameter)}" names "${shorten(text)}", which no item has`);
    }
    const collection = concreteCollection(kind.resource, request.path);
    return this.#find(this.#prepared, { request, collection, query, scope: scopeOf(collection, query) });
  }

  #prepare(): PreparedList {
    const { operation, kind, policy, siblings, printer, sent, response } = this.#parts;
    const { maxItems } = foldSchema(printer.listSchema);
    const mostShown = typeof maxItems === 'number' ? maxItems : undefined;
    // Properties that only other operations show may be filtered by, too.
    const conditions = createConditions([
      printer.itemSchema,
      ...siblings.flatMap((each) => [responseSchema(each) ?? [], requestSchema(each) ?? []].flat()),
    ]);
    return {
      ...prepareListQuery(operation, conditions, { mostShown, policy }),
      envelope: prepareEnvelope(sent?.media, kind.list.path),
      fields: prepareFields(response?.headers ?? []),
    };
  }

  #find(prepared: PreparedList, selection: Selection): MaybePromise<MockResponse> {
    const { store, printer, policy } = this.#parts;
    const { collection, query, scope } = selection;
    const needsTotal = prepared.envelope.needsTotal || prepared.fields.needsTotal;
    return whenThere(
      findPage({ store, collection, query, scope, needsTotal, toItem: printer.toItem }),
      (page) => {
        if (page !== undefined) return this.#write(prepared, selection, page);
        const { start } = query;
        const isCursor = start.kind !== 'offset' && start.isDeclared;
        if (isCursor && policy['unknown-cursor'] === 'refuse') {
          const problem = `"${start.parameter}" is no cursor of this list, or its item is gone`;
          return this.#refuse(start.parameter, problem);
        }
        // An undeclared parameter is ignored, unless it is a cursor of this list.
        const offset = isCursor && policy['unknown-cursor'] === 'empty' ? Infinity : 0;
        const whole = { ...query, start: { kind: 'offset', by: undefined, offset } } as const;
        return this.#find(prepared, { ...selection, query: whole });
      },
    );
  }

  #write(
    { paging, envelope, fields }: PreparedList,
    { request, query, scope }: Selection,
    page: FoundPage,
  ): MaybePromise<MockResponse> {
    const { printer, status, contentType, note, sent } = this.#parts;
    const { items } = page;
    const shownPage = { ...page, ...query, scope, count: items.length, ends: endsOf(page) };
    const facts = describePage(shownPage, paging, request.head);
    const respond = ({ text, fits }: ListText): MockResponse => {
      const answer = { status, headers: [...contentType, ...fields.write(facts)], body: text, note };
      return fits ? answer : markMismatch(answer, sent?.media.schema?.pointer);
    };
    return whenThere(
      printer.write(items, (each) => envelope.write(each, facts)),
      (shown) => {
        // An empty collection has no list that must have items.
        if (shown.fits || items.length > 0) return respond(shown);
        const sample = printer.print(sampleValue(sent?.media.schema?.schema ?? true) ?? null);
        return sample.fits ? markSample(respond(sample)) : respond(shown);
      },
    );
  }

  #refuse(name: string, problem: string, clause?: BrokenClause): MockResponse {
    const reason = `the query parameter ${problem}`;
    return this.#parts.refuse({
      condition: 'invalid-parameter',
      message: `The request is not valid: ${reason}.`,
      problems: () => [{ parameter: { in: 'query', name }, reason, ...(clause && { clause }) }],
    });
  }
}

/** Returns the first and the last item of a page; undefined if it is empty. */
function endsOf({ items, ends }: FoundPage): [first: PageEnd, last: PageEnd] | undefined {
  const [first, last] = [items[0], items.at(-1)].flatMap((item, end): readonly PageEnd[] =>
    item === undefined ? [] : [{ id: item.id, position: item.position, values: ends[end] ?? [] }],
  );
  return first === undefined || last === undefined ? undefined : [first, last];
}

/** Returns the scope of cursors: a list and its order. */
function scopeOf(collection: string, { isNewestFirst, sort }: ListQuery): string {
  return stringifyJson([collection, isNewestFirst, ...sort.map(({ path, isDown }) => [isDown, ...path])]);
}
