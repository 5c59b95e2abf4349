import { findDefaultDocument } from '../document/package-manifest.ts';
import { type DocumentOptions, readDocument } from '../document/read-document.ts';
import { buildContract } from './build.ts';
import type { Contract } from './contract.ts';

/**
 * Reads a document and builds its model.
 *
 * @param source - a path or URL; without one the document that ships with the package
 * @throws ClocheError as readDocument and buildContract do
 */
export async function loadContract(
  source: string | undefined,
  options: DocumentOptions & { readonly followReferences: boolean },
): Promise<Contract> {
  return buildContract(await readDocument(source ?? findDefaultDocument(), options));
}
