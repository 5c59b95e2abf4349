import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { Code, CodeKeywordDefinition, KeywordCxt, ValidateFunction } from 'ajv/dist/core.js';
import { exactKeywords } from './exact-keywords.ts';
import { formats, userFormats } from './formats.ts';
import { type Ajv, loadAjv } from './late-packages.ts';
import { readPattern } from './pattern.ts';

/** Formats without a check here: `integerFormat` checks integers, and each JSON number is a valid float and double. */
const numericFormats = new Set(['int32', 'int64', 'float', 'double']);

/**
 * Creates a compiler of schemas. It only accepts own properties, because `constructor` can be a name. It continues
 * after an error to list all problems. Unknown formats are not checked (JSON Schema 2020-12 validation §7.2.3).
 *
 * @param isPlain - whether it compiles only plain schemas, which are always usable
 */
export function createCompiler(isPlain: boolean): Ajv2020 {
  const ajv = loadAjv();
  const compiler = new ajv.Ajv2020({
    strict: false,
    allErrors: true,
    logger: false,
    messages: false,
    verbose: true,
    ownProperties: true,
    addUsedSchema: false,
    // The schema is checked when the document is loaded. Another check takes longer than compiling.
    meta: false,
    validateSchema: false,
    code: {
      // Only standalone validators would contain this code, and none are written.
      regExp: Object.assign((pattern: string) => readPattern(pattern), { code: 'new RegExp' }),
      // Optimizing doubles the time of code generation, and the engine removes unused code anyway.
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
    compiler.removeKeyword(keyword).addKeyword(defineBranches(keyword, ajv));
  }
  exactKeywords().forEach((keyword) => compiler.addKeyword(keyword));
  if (isPlain) {
    compiler.removeKeyword('$ref').addKeyword(defineReference(compiler, ajv));
    compiler.opts.unevaluated = false;
  }
  return compiler;
}

/**
 * Defines a `$ref` (JSON Schema 2020-12 core §8.2.3.1) that compiles its target when the first value reaches it. In a
 * large document a definition refers to almost everything, but a value reaches only a few of its targets.
 */
function defineReference(compiler: Ajv2020, { callRef }: Ajv): CodeKeywordDefinition {
  const known = new Map<string, ValidateFunction>();

  function toLate(reference: string): ValidateFunction {
    let validate: ValidateFunction | undefined;
    function judge(this: unknown, ...given: Parameters<ValidateFunction>): boolean {
      // `as`: all targets of a plain schema exist, and none is asynchronous (`$async`).
      validate ??= compiler.getSchema(reference) as ValidateFunction;
      const isValid = validate.apply(this, given);
      late.errors = validate.errors ?? null;
      return isValid;
    }
    // `as`: only generated code calls it, and reads only the errors.
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

/**
 * Defines `anyOf` and `oneOf` like the compiler (JSON Schema 2020-12 core §10.2.1). Their errors also contain the
 * number of matching branches and the end of each branch's errors. This restores the tree from the flat list of errors:
 * paths do not show branches that are a `$ref`.
 */
function defineBranches(keyword: 'anyOf' | 'oneOf', ajv: Ajv): CodeKeywordDefinition {
  const { _ } = ajv;
  return {
    keyword,
    schemaType: 'array',
    trackErrors: true,
    error: {
      message: '',
      params: ({ params }) => _`{matching: ${params['matching']}, ends: ${params['ends']}}`,
    },
    code: (cxt) => generateBranches(cxt, ajv),
  };
}

function generateBranches(cxt: KeywordCxt, { _, Name }: Ajv): void {
  // The name of the error count in generated code.
  const errorCount = new Name('errors');
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
