import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  _,
  type Code,
  type CodeKeywordDefinition,
  type KeywordCxt,
  Name,
  type ValidateFunction,
} from 'ajv/dist/core.js';
import { callRef } from 'ajv/dist/vocabularies/core/ref.js';
import { exactKeywords } from './exact-keywords.ts';
import { formats, userFormats } from './formats.ts';
import { readPattern } from './pattern.ts';

/** Numbers have `integerFormat`, and float and double bound nothing that a JSON number can be. */
const numericFormats = new Set(['int32', 'int64', 'float', 'double']);

/**
 * Creates a compiler of schemas. It asks for own properties only, so that `constructor` is a property like any other, and
 * keeps going after an error, so that a refusal names everything. Formats that it does not know assert nothing (JSON Schema
 * 2020-12 validation §7.2.3).
 *
 * @param isPlain - whether it compiles plain schemas alone, so that nothing in it is unusable
 */
export function createCompiler(isPlain: boolean): Ajv2020 {
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
    code: {
      // The code is what a validator in a file of its own would call; none is written.
      regExp: Object.assign((pattern: string) => readPattern(pattern), { code: 'new RegExp' }),
      // It takes as long again as making the code, and the engine drops what is unused as well.
      optimize: false,
    },
  });
  for (const [name, format] of formats) {
    if (!numericFormats.has(name)) {
      compiler.addFormat(name, format);
    }
  }
  for (const [name, { test }] of userFormats) compiler.addFormat(name, test);
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    compiler.removeKeyword(keyword).addKeyword(defineBranches(keyword));
  }
  exactKeywords().forEach((keyword) => compiler.addKeyword(keyword));
  if (isPlain) {
    compiler.removeKeyword('$ref').addKeyword(defineReference(compiler));
    compiler.opts.unevaluated = false;
  }
  return compiler;
}

/**
 * `$ref` to a definition (JSON Schema 2020-12 core §8.2.3.1) that is compiled when the first value comes to it: a value
 * seldom comes to more than a few of all that a definition leads to, which in a large document is nearly everything.
 */
function defineReference(compiler: Ajv2020): CodeKeywordDefinition {
  const known = new Map<string, ValidateFunction>();

  function toLate(reference: string): ValidateFunction {
    let validate: ValidateFunction | undefined;
    function judge(this: unknown, ...given: Parameters<ValidateFunction>): boolean {
      // `as`: a plain schema refers to definitions that are there, and to none that is judged later (`$async`).
      validate ??= compiler.getSchema(reference) as ValidateFunction;
      const isValid = validate.apply(this, given);
      late.errors = validate.errors ?? null;
      return isValid;
    }
    // `as`: it is called by generated code alone, which reads the errors and nothing else.
    const late = judge as ValidateFunction;
    return late;
  }

  return {
    keyword: '$ref',
    schemaType: 'string',
    before: 'const',
    code(cxt) {
      const reference = String(cxt.schema);
      const late = known.get(reference) ?? toLate(reference);
      known.set(reference, late);
      callRef(cxt, cxt.gen.scopeValue('validate', { ref: late }));
    },
  };
}

/** What generated code calls the number of errors so far. */
const errorCount = new Name('errors');

/**
 * `anyOf` and `oneOf` as the compiler has them (JSON Schema 2020-12 core §10.2.1), except that their errors
 * say how many branches matched and which of the errors before them come from which branch. Only so can a
 * flat list of errors be read as the tree it was: a branch that is a `$ref` leaves no trace in their paths.
 */
function defineBranches(keyword: 'anyOf' | 'oneOf'): CodeKeywordDefinition {
  return {
    keyword,
    schemaType: 'array',
    trackErrors: true,
    error: {
      message: '',
      params: ({ params }) => _`{matching: ${params['matching']}, ends: ${params['ends']}}`,
    },
    code: generateBranches,
  };
}

function generateBranches(cxt: KeywordCxt): void {
  const { gen, keyword, errsCount } = cxt;
  const branches: readonly unknown[] = Array.isArray(cxt.schema) ? cxt.schema : [];
  const matching = gen.let('matching', 0);
  const ends = branches.map(() => gen.let('end', 0));
  const listed = ends.reduce<Code>((list, end) => _`${list}${end}, `, _``);
  const valid = gen.name('_valid');
  cxt.setParams({ matching, ends: _`[${listed}]` });
  gen.block(() => {
    for (const [index, end] of ends.entries()) {
      const branch = cxt.subschema({ keyword, schemaProp: index, compositeRule: true }, valid);
      gen.assign(end, _`${errorCount} - ${errsCount}`);
      gen.if(valid, () => {
        gen.code(_`${matching}++`);
        cxt.mergeEvaluated(branch, Name);
      });
    }
  });
  cxt.result(
    keyword === 'anyOf' ? _`${matching} > 0` : _`${matching} === 1`,
    () => cxt.reset(),
    () => cxt.error(true),
  );
}
