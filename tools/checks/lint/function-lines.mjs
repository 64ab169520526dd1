// The rule `max-lines-per-function` for files of tests: a `describe` is a chapter, as long as what it tells of, so that its
// callback is not measured. oxlint's own rule cannot leave it out. What is in it is measured: each test, each function.
const MAX = 80;

// What is called may be `describe` itself, a member such as `describe.skip`, or what `describe.each` returns.
const isDescribe = (callee) => {
  if (callee.type === "Identifier") return callee.name === "describe";
  if (callee.type === "CallExpression") return isDescribe(callee.callee);
  return callee.type === "MemberExpression" && isDescribe(callee.object);
};

const rule = {
  create(context) {
    const measure = (node) => {
      if (node.parent.type === "CallExpression" && isDescribe(node.parent.callee)) return;
      const lines = node.loc.end.line - node.loc.start.line + 1;
      if (lines > MAX)
        context.report({ node, message: `This function has too many lines (${lines}). Maximum allowed is ${MAX}.` });
    };
    return { FunctionDeclaration: measure, FunctionExpression: measure, ArrowFunctionExpression: measure };
  },
};

export default { meta: { name: "kindling" }, rules: { "function-lines": rule } };
