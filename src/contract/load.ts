import { findDefaultDocument } from '../document/package-manifest.ts';
import { type DocumentOptions, readDocument } from '../document/read-document.ts';
import { prepareContract } from './build.ts';
import type { Contract } from './contract.ts';

/** Reads a document, by default that of the package, and builds its contract. @throws ClocheError as both do */
export async function loadContract(
  source: string | undefined,
  options: DocumentOptions & { readonly followReferences: boolean },
): Promise<Contract> {
  return prepareContract(await readDocument(source ?? findDefaultDocument(), options));
}
