import { findDefaultDocument } from '../document/package-manifest.ts';
import type { MountedSource } from '../document/mount-documents.ts';
import { type DocumentOptions, readDocument } from '../document/read-document.ts';
import { prepareContract } from './build.ts';
import type { Contract } from './contract.ts';

/** Options for reading a document, or several. */
type LoadOptions = DocumentOptions & {
  readonly followReferences: boolean;
  /** Documents to serve beside it, each under its prefix. @defaultValue none */
  readonly mounts?: readonly MountedSource[];
};

/**
 * Reads a document, by default that of the package unless others are mounted, and builds its contract.
 *
 * @throws ClocheError as both do
 */
export async function loadContract(
  source?: string,
  options: LoadOptions = { followReferences: false },
): Promise<Contract> {
  const { mounts = [] } = options;
  if (mounts.length > 0) {
    // Loaded late: most mocks have one document.
    const { readMountedDocuments } = await import('../document/mount-documents.ts');
    const all = source === undefined ? mounts : [{ prefix: '', source }, ...mounts];
    return prepareContract(await readMountedDocuments(all, options));
  }
  return prepareContract(await readDocument(source ?? findDefaultDocument(), options));
}
