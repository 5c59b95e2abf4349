import type { DeclaredHeader } from '../contract/declared-response.ts';
import {
  createParameterReader,
  type ParameterReader,
} from '../contract/parameters/create-parameter-reader.ts';
import { decodeUtf8 } from '../http/decode-utf8.ts';
import type { HeaderList } from '../http/header-list.ts';
import { holdsExactNumber } from '../json/holds-exact-number.ts';
import type { CompiledSchema } from '../schema/compile-schema.ts';
import { describeSchemaProblem } from '../schema/describe-schema-problem.ts';
import type { SchemaProblem } from '../schema/schema-problem.ts';

/** A header field whose value its schema does not accept. */
export interface InvalidHeader {
  /** In words. */
  readonly reason: string;
  readonly problem: SchemaProblem;
}

type Readers = readonly ParameterReader[];

const known = new WeakMap<DeclaredHeader, Readers>();

/** Without and with `explode`: objects are cut in two ways, and either may be meant. */
function readersOf(header: DeclaredHeader, { schema }: CompiledSchema): Readers {
  const readers =
    known.get(header) ??
    [false, true].map((explode) =>
      createParameterReader({
        name: header.name,
        in: 'header',
        style: 'simple',
        explode,
        mediaType: undefined,
        schema,
      }),
    );
  known.set(header, readers);
  return readers;
}

/** A number or a boolean in other spellings: `+5`, `007`, `5.`, `True`, `?1` (RFC 9651 §3.3.6). */
function respell(text: string): string {
  const number = /^(?:\+|(-))?0*(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\.?$/u.exec(text);
  if (number !== null) {
    return `${number[1] ?? ''}${number[2] ?? ''}`;
  }
  if (text === '?1' || text === '?0') {
    return text === '?1' ? 'true' : 'false';
  }
  return /^(?:true|false)$/iu.test(text) ? text.toLowerCase() : text;
}

/** What the field may mean to a reader who is well disposed. */
function spellings(text: string): readonly string[] {
  const respelled = text
    .split(',')
    .map((part) => respell(part.trim()))
    .join(',');
  // A field value holds one character a byte.
  const utf8 = decodeUtf8(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  return [...new Set([text, respelled, utf8 ?? text])];
}

/**
 * Holds the value of a declared header field against its schema, read in the style `simple` (OpenAPI 3.1
 * §4.8.21). What can be read in several ways is fine if one of them is; formats assert nothing here. A field
 * that came several times is one list (RFC 9110 §5.3), or each of its lines is a value of its own.
 *
 * @returns undefined where nothing is wrong, where the field did not come, or where it has no schema
 */
export function findInvalidHeader(header: DeclaredHeader, headers: HeaderList): InvalidHeader | undefined {
  const { name, schema } = header;
  const lines = headers
    .filter(([field]) => field.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value.trim());
  if (schema === undefined || lines.length === 0) {
    return undefined;
  }
  const validate = schema.validator({ formats: 'ignore', integers: 'by-value' });
  const readers = readersOf(header, schema);

  function findProblem(text: string): InvalidHeader | undefined {
    let first: InvalidHeader | undefined;
    for (const spelling of spellings(text)) {
      const source = { path: {}, query: [], header: (): string => spelling };
      for (const value of readers.flatMap((read) => read(source))) {
        const [problem] = validate(value, holdsExactNumber(value));
        if (problem === undefined) {
          return undefined;
        }
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
