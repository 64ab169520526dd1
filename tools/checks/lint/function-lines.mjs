// @ts-check
// The rule `max-lines-per-function` for test files. A `describe` groups tests and may be long, so its callback is not measured.
// oxlint's own rule cannot exclude it. Everything inside it is measured: each test and each function.
const MAX = 80;

/**
 * The members of a node of the syntax tree that the rule reads.
 *
 * @typedef {object} SyntaxNode
 * @property {string} type
 * @property {string} [name] of an identifier
 * @property {SyntaxNode} [callee] of a call
 * @property {SyntaxNode} [object] of a member
 * @property {SyntaxNode} [parent] undefined for the program itself
 * @property {{ readonly start: { readonly line: number }, readonly end: { readonly line: number } }} loc
 */

/**
 * The called function may be `describe` itself, a member such as `describe.skip`, or the result of `describe.each`.
 *
 * @param {SyntaxNode | undefined} called
 * @returns {boolean}
 */
const isDescribe = (called) => {
  if (called?.type === "Identifier") return called.name === "describe";
  if (called?.type === "CallExpression") return isDescribe(called.callee);
  return called?.type === "MemberExpression" && isDescribe(called.object);
};

const rule = {
  /** @param {{ report: (fault: { node: SyntaxNode, message: string }) => void }} context */
  create(context) {
    /** @param {SyntaxNode} node */
    const measure = (node) => {
      if (node.parent?.type === "CallExpression" && isDescribe(node.parent.callee)) return;
      const lines = node.loc.end.line - node.loc.start.line + 1;
      if (lines > MAX)
        context.report({ node, message: `This function has too many lines (${lines}). Maximum allowed is ${MAX}.` });
    };
    return { FunctionDeclaration: measure, FunctionExpression: measure, ArrowFunctionExpression: measure };
  },
};

export default { meta: { name: "kindling" }, rules: { "function-lines": rule } };
