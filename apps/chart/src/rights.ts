import { readFileSync } from "node:fs";
import { find, type Rendered, type Rule } from "./render.ts";

/** The rights of an account or group, one line for each resource: `where: verbs resource`. */
export function rightsOf(objects: readonly Rendered[], subject: string): string[] {
  const bindings = objects.filter(({ subjects = [] }) => subjects.some(({ name }) => name === subject));
  return bindings
    .flatMap(({ roleRef, metadata }) => {
      const { rules = [] } = find(objects, roleRef?.["kind"] ?? "", roleRef?.["name"] ?? "", metadata.namespace);
      return rules.flatMap((rule) => rightLines(rule).map((line) => `${metadata.namespace ?? "cluster"}: ${line}`));
    })
    .toSorted();
}

/** What a rule allows: `verbs resource.group names`. */
export function rightLines({ apiGroups, resources, resourceNames, verbs }: Rule): string[] {
  const names = resourceNames === undefined ? "" : ` ${resourceNames.join(" ")}`;
  return apiGroups.flatMap((group) =>
    resources.map((resource) => `${verbs.join(",")} ${resource}${group === "" ? "" : `.${group}`}${names}`),
  );
}

/** The number of rules in a template, and the lines before rules that no comment explains. */
export function unexplainedRules(path: string): { readonly rules: number; readonly unexplained: readonly string[] } {
  const text = readFileSync(path, "utf8").split("\n");
  const before = text.flatMap((line, at) => (/^ *- apiGroups:/.test(line) ? [text[at - 1] ?? ""] : []));
  return { rules: before.length, unexplained: before.filter((line) => !/^ *# .*[.]$/.test(line)) };
}
