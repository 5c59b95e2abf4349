import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { branchKeywords } from './branch-keywords.ts';
import { exactKeywords } from './exact-keywords.ts';

let shared: Ajv2020 | undefined;

/** Numbers have `integerFormat`, and float and double bound nothing that a JSON number can be. */
const numericFormats = new Set(['int32', 'int64', 'float', 'double']);

/**
 * The one compiler that all schemas share. It asks for own properties only, so that `constructor` is a
 * property like any other, and keeps going after an error, so that a refusal names everything.
 *
 * Formats that it does not know assert nothing (JSON Schema 2020-12 validation §7.2.3).
 */
export function schemaCompiler(): Ajv2020 {
  shared ??= createCompiler();
  return shared;
}

function createCompiler(): Ajv2020 {
  const compiler = new Ajv2020({
    strict: false,
    allErrors: true,
    logger: false,
    messages: false,
    verbose: true,
    ownProperties: true,
    addUsedSchema: false,
    // A document is checked as it is loaded; checking here again takes longer than compiling.
    meta: false,
    validateSchema: false,
    code: { regExp: Object.assign(toRegExp, { code: 'new RegExp' }) },
  });
  for (const [name, format] of Object.entries(fullFormats)) {
    if (!numericFormats.has(name)) {
      compiler.addFormat(name, format);
    }
  }
  for (const keyword of branchKeywords()) {
    compiler.removeKeyword(String(keyword.keyword)).addKeyword(keyword);
  }
  for (const keyword of exactKeywords()) {
    compiler.addKeyword(keyword);
  }
  return compiler;
}

/** Patterns are read with the flag u (JSON Schema 2020-12 core §6.4), and without where that has no meaning: `\-`. */
function toRegExp(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}
