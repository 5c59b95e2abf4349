import type { Operation } from '../../contract/contract.ts';
import { nextPage } from '../../contract/list-pages.ts';
import { findListMember } from '../../contract/list-parameters.ts';
import { decodeQueryText, parseQuery } from '../../http/query.ts';
import { jsonContent } from './answer.ts';
import type { CheckedExchange } from './subject.ts';

/** The maximum number of cursors that are kept; later ones are ignored. */
const mostCursors = 10_000;

/** Lists the cursors in the query of a target, each with the id of its operation. */
export function sentCursors(operation: Operation, target: string): readonly string[] {
  const names = (['after', 'before'] as const).flatMap((role) => findListMember(operation, role)?.name ?? []);
  if (names.length === 0) return [];
  return parseQuery(target).flatMap(([name, value]) =>
    names.includes(name) ? [`${operation.id} ${decodeQueryText(value)}`] : [],
  );
}

/** Notes the cursor of the next page in a list response, in the form of {@link sentCursors}. */
export function rememberCursors(
  cursors: Set<string>,
  { operation, answer, exchange }: Pick<CheckedExchange, 'operation' | 'answer' | 'exchange'>,
): void {
  if (operation?.kind.kind !== 'list' || answer.kind === 'none' || cursors.size >= mostCursors) return;
  if (answer.response.status !== 200 || findListMember(operation, 'after') === undefined) return;
  const { status, headers } = answer.response;
  const page = { target: exchange.request.target, status, headers, body: jsonContent(answer) };
  const next = nextPage(operation, [page]);
  if (next.kind === 'next') sentCursors(operation, next.target).forEach((cursor) => cursors.add(cursor));
}
