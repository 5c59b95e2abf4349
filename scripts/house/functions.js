import ts from 'typescript';

const long = 100;
const manyParameters = 4;

const withoutParentheses = (node) =>
  ts.isParenthesizedExpression(node) ? withoutParentheses(node.expression) : node;

/**
 * Lists the functions of a module that are long or take many positional parameters, and its nested conditional
 * expressions, each as `file:line name`.
 *
 * @param {{ file: string, text: string }} module
 */
export function findLongFunctions({ file, text }) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const found = { long: [], manyParameters: [], nestedTernaries: [] };
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      const first = lineOf(node.getStart());
      const place = `${file}:${first} ${node.name?.getText() ?? node.parent.name?.getText() ?? '(anonymous)'}`;
      if (lineOf(node.end) - first + 1 >= long) found.long.push(place);
      if (node.parameters.length >= manyParameters) found.manyParameters.push(place);
    }
    if (ts.isConditionalExpression(node)) {
      const isNested = [node.whenTrue, node.whenFalse].some((branch) =>
        ts.isConditionalExpression(withoutParentheses(branch)),
      );
      if (isNested && !ts.isConditionalExpression(node.parent))
        found.nestedTernaries.push(`${file}:${lineOf(node.getStart())}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
