import type { Contract, Operation } from '../../contract/contract.ts';
import type { Policy } from '../../policy/policy.ts';
import { createCollections, groupByResource, keepFilled } from './collections.ts';
import { readExampleRows } from './example-rows.ts';

/** Options of a mock that fill collections at its start. */
export interface CatalogueOptions {
  /** Initial rows, or `none`; undefined for the examples of the document. */
  readonly data?: object | 'none';
  /** The number of rows that are generated for each collection. */
  readonly dataCount?: number;
}

/**
 * Lists the read-only collections of a document (a list and its items by id) that can still be filled: with generated
 * rows, or from the examples of their responses. For the others, a mock returns samples.
 *
 * @returns concrete paths; below other items, with any value for each parameter
 */
export function listCatalogues(
  contract: Contract,
  policy: Policy,
  { data, dataCount = 0 }: CatalogueOptions,
): readonly string[] {
  if (data !== undefined && dataCount === 0) return [];
  const uses = groupByResource(contract).filter(
    ({ resource, operations }) =>
      resource.kind === 'collection' && !resource.isKept && isCatalogue(operations),
  );
  const candidates = uses.map(({ resource }) => resource.collection.replaceAll(/\{[^{}]*\}/gu, '0'));
  if (candidates.length === 0 || dataCount > 0) return candidates;
  const operations = uses.flatMap((use) => use.operations);
  const kept = keepFilled({ ...contract, operations }, candidates);
  const { rows } = readExampleRows(createCollections(kept, policy));
  return Object.keys(rows);
}

/** Returns whether operations list items that have an id and a path. */
function isCatalogue(operations: readonly Operation[]): boolean {
  const lists = operations.some(({ kind }) => kind.kind === 'list' && kind.list.kind === 'array');
  const reads = operations.some(
    ({ kind }) => kind.kind === 'read' && kind.response !== undefined && kind.resource.key.kind === 'server',
  );
  return lists && reads;
}
