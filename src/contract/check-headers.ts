import { decodeUtf8 } from '../http/bytes.ts';
import type { HeaderList } from '../http/message.ts';
import { decodePathText } from '../http/query.ts';
import { holdsExactNumber } from '../json/value.ts';
import type { CompiledSchema } from '../schema/compile.ts';
import { describeSchemaProblem } from '../schema/describe-problem.ts';
import type { SchemaProblem } from '../schema/problems.ts';
import type { DeclaredHeader } from './contract.ts';
import { createParameterReader, type ParameterReader } from './read-parameters.ts';

/** The problem of a header field value, also in words. */
interface InvalidHeader {
  readonly reason: string;
  readonly problem: SchemaProblem;
}

/**
 * Checks the value of a declared header field against its schema, if both exist (OpenAPI 3.1 §4.8.21). One valid
 * reading is enough; formats are not asserted. Several lines of a field are one list (RFC 9110 §5.3), or a value each.
 */
export function findInvalidHeader(header: DeclaredHeader, headers: HeaderList): InvalidHeader | undefined {
  const { name, schema } = header;
  const lines = headers
    .filter(([field]) => field.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value.trim());
  if (schema === undefined || lines.length === 0) return undefined;
  const validate = schema.validator({ formats: 'ignore', integers: 'by-value' });
  const readers = readersOf(header, schema);

  function findProblem(text: string): InvalidHeader | undefined {
    let first: InvalidHeader | undefined;
    for (const spelling of spellings(text)) {
      const source = { path: {}, query: [], header: (): string => spelling };
      for (const value of readers.flatMap((read) => read(source))) {
        const [problem] = validate(value, holdsExactNumber(value));
        if (problem === undefined) return undefined;
        first ??= {
          problem,
          reason: describeSchemaProblem({ problem, value, subject: `the header field ${name}` }),
        };
      }
    }
    return first;
  }

  const problem = findProblem(lines.join(', '));
  return problem === undefined || lines.every((line) => findProblem(line) === undefined)
    ? undefined
    : problem;
}

const known = new WeakMap<DeclaredHeader, readonly ParameterReader[]>();

/** Without and with `explode`: each splits objects in another way, and the document may mean either. */
function readersOf(header: DeclaredHeader, { schema }: CompiledSchema): readonly ParameterReader[] {
  const shape = { name: header.name, in: 'header', style: 'simple', mediaType: undefined, schema } as const;
  const readers =
    known.get(header) ?? [false, true].map((explode) => createParameterReader({ ...shape, explode }));
  known.set(header, readers);
  return readers;
}

/** Normalises a number or a boolean in another spelling: `+5`, `007`, `5.`, `True`, `?1` (RFC 9651 §3.3.6). */
function respell(text: string): string {
  const number = /^(?:\+|(-))?0*(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\.?$/u.exec(text);
  if (number !== null) return `${number[1] ?? ''}${number[2] ?? ''}`;
  if (text === '?1' || text === '?0') return text === '?1' ? 'true' : 'false';
  return /^(?:true|false)$/iu.test(text) ? text.toLowerCase() : text;
}

/** Lists the readings of the field by a lenient reader. */
function spellings(text: string): readonly string[] {
  const respelled = text.replaceAll(/[^,]+/gu, (part) => respell(part.trim()));
  // A field value has one character for each byte.
  const utf8 = decodeUtf8(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  // Characters that a field cannot contain may be percent-encoded.
  return [...new Set([text, respelled, utf8 ?? text, decodePathText(text)])];
}
