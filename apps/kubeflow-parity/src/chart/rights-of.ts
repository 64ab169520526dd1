import type { PolicyRule, Rendered } from "./rendered.ts";

/**
 * The rights that the roles of rendered objects give, each as `component, cluster|namespace: verb resource.group`. So the
 * rights of drivers, which are the same as in the stock chart, and of hooks are kept apart.
 */
export function rightsOf(objects: readonly Rendered[]): ReadonlySet<string> {
  const roles = objects.filter(({ kind }) => kind === "Role" || kind === "ClusterRole");
  return new Set(
    roles.flatMap(({ kind, metadata, rules = [] }) => {
      const component = metadata.labels?.["app.kubernetes.io/component"] ?? "drivers";
      const where = kind === "ClusterRole" ? "cluster" : "namespace";
      return rules.flatMap((rule) => lines(rule).map((line) => `${component}, ${where}: ${line}`));
    }),
  );
}

function lines({ apiGroups = [], resources = [], verbs }: PolicyRule): string[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}${group === "" ? "" : `.${group}`}`)),
  );
}
