import { _, type Code, type CodeKeywordDefinition, type KeywordCxt, Name } from 'ajv/dist/core.js';

/** What generated code calls the number of errors so far. */
const errorCount = new Name('errors');

/**
 * `anyOf` and `oneOf` as the compiler has them (JSON Schema 2020-12 core §10.2.1), except that their errors
 * say how many branches matched and which of the errors before them come from which branch. Only so can a
 * flat list of errors be read as the tree it was: a branch that is a `$ref` leaves no trace in their paths.
 */
export function branchKeywords(): readonly CodeKeywordDefinition[] {
  return [defineBranches('anyOf'), defineBranches('oneOf')];
}

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
