const SEMANTIC =
  /^v?(0|[1-9]\d*)(?:\.(0|[1-9]\d*)(?:\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z.-]+)?)?)?$/;

/**
 * Whether a version is the first release of a major version or a later one, in the order of semantic versions. A text
 * that is no version comes before all versions, and `3.0.0-preview` comes before 3.0.0 (kubeflow/spark-operator v2.5.2,
 * pkg/util/util.go, `CompareSemanticVersion`).
 */
export function isAtLeastMajor(version: string, major: number): boolean {
  const match = SEMANTIC.exec(version);
  if (match === null) return false;
  const [, itsMajor, minor = "0", patch = "0", preRelease] = match;
  const isFirst = minor === "0" && patch === "0";
  return Number(itsMajor) > major || (Number(itsMajor) === major && !(isFirst && preRelease !== undefined));
}
