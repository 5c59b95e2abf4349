import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { DocumentError } from '../document-error.ts';
import type { LocatedProblem } from '../located-problem.ts';
import { nameSource } from '../name-source.ts';
import { parseSource } from '../parse-source.ts';
import { readSource } from '../read-source.ts';
import { resolvePointer } from '../resolve-pointer.ts';
import { locatePointer, type TextPlaces } from '../text-places.ts';
import type { Family, FamilyMember, OuterReference } from './family.ts';
import { findOuterReferences, withoutFragment } from './find-outer-references.ts';
import { isWithinFolder } from './is-within-folder.ts';

/** A document and what following its references may do. */
export interface FamilyInput {
  readonly root: JsonObject;
  readonly url: URL;
  /** The document as the user named it. */
  readonly source: string;
  /** Takes where everything in the other texts stands. */
  readonly places: TextPlaces;
  /** Whether references out of the folder and over the network are followed. */
  readonly follow: boolean;
  /** Is told of each of the other texts before it is read. */
  readonly onRead: ((url: URL) => void) | undefined;
}

/**
 * Reads the texts that a document refers to, and those that they refer to.
 *
 * @throws DocumentError REFERENCE_REFUSED where a reference leads out of the folder of the document or over
 * the network, and may not be followed there; DOCUMENT_INVALID where it leads to nothing; DOCUMENT_SYNTAX
 */
export async function loadFamily(input: FamilyInput): Promise<Family> {
  const { url: base, source, places, follow } = input;
  const family = new Map<string, FamilyMember>();
  const refused: LocatedProblem[] = [];
  const broken: LocatedProblem[] = [];

  function locate(
    member: FamilyMember,
    { pointer }: OuterReference,
  ): Pick<LocatedProblem, 'file' | 'line' | 'column'> {
    const file = nameSource({ source, base, url: member.url });
    return (
      locatePointer({ places, root: member.root, pointer: appendPointer(pointer, '$ref') }) ?? {
        file,
        line: 1,
        column: 1,
      }
    );
  }

  async function load(member: FamilyMember, reference: OuterReference): Promise<FamilyMember | undefined> {
    const url = new URL(reference.target);
    const quoted = JSON.stringify(reference.reference);
    const isFile = url.protocol === 'file:';
    if (isFile && member.url.protocol !== 'file:') {
      // Whoever allows references trusts the network with what it may serve, not with the files of this machine.
      refused.push({
        ...locate(member, reference),
        reason: `the reference ${quoted} leads from the network to a file of this machine`,
        remedy: 'Download the document and what it names into one folder',
      });
      return undefined;
    }
    const isWithin = await isWithinFolder(url, base);
    if (!isWithin && !(follow && /^(?:https?|file):$/u.test(url.protocol))) {
      refused.push({
        ...locate(member, reference),
        reason: `the reference ${quoted} leads ${isFile ? 'out of the folder of the document' : 'over the network'}`,
        remedy: 'Move what it names into the document or its folder, or allow it with --allow-references',
      });
      return undefined;
    }
    input.onRead?.(url);
    try {
      const name = nameSource({ source, base, url });
      const { text, isJson } = await readSource(url, name);
      const root = await parseSource({ file: name, text, isJson, places });
      return { url, root, outer: findOuterReferences(root, url) };
    } catch (error) {
      if (!(error instanceof ClocheError) || error instanceof DocumentError) {
        throw error;
      }
      broken.push({
        ...locate(member, reference),
        reason: `the reference ${quoted} cannot be followed: ${error.reason}`,
        remedy: 'Correct it, or put the file where it leads',
      });
      return undefined;
    }
  }

  const first: FamilyMember = { url: base, root: input.root, outer: findOuterReferences(input.root, base) };
  family.set(withoutFragment(base), first);
  // A Map also goes over what is added on the way.
  for (const member of family.values()) {
    for (const reference of member.outer) {
      const loaded = family.get(reference.target) ?? (await load(member, reference));
      if (loaded !== undefined) {
        family.set(reference.target, loaded);
      }
      if (loaded !== undefined && resolvePointer(loaded.root, reference.targetPointer) === undefined) {
        broken.push({
          ...locate(member, reference),
          reason: `the reference ${JSON.stringify(reference.reference)} leads to nothing`,
          remedy: 'Correct it, or add what it names',
        });
      }
    }
  }
  if (refused.length > 0 || broken.length > 0) {
    const code = refused.length > 0 ? 'REFERENCE_REFUSED' : 'DOCUMENT_INVALID';
    throw new DocumentError(code, { source, problems: [...refused, ...broken] });
  }
  return family;
}
