import { compareSpecs, covers } from "@kindling/core-spec";

/** Any pod: the one that was sent, and the one that the API server answered with. */
interface SpecifiedPod {
  readonly spec?: object | undefined;
}

/** Of fields that older API servers leave out: which version keeps them, and what happens without them. */
const KNOWN: readonly (readonly [pattern: string, consequence: string])[] = [
  [
    "initContainers[*].restartPolicy",
    "sidecars need Kubernetes 1.29, and without it Spark does not start before that container has ended",
  ],
  [
    "resources",
    "resources of a pod as a whole need Kubernetes 1.34, and without it only those of its containers count",
  ],
];

/**
 * Says which fields of a pod an API server left out when it took the pod: one sentence for each. An API server leaves out,
 * without a word, what its version does not know and what its feature gates switch off (`DropDisabledPodFields` of
 * pkg/api/pod/util.go). This does not say which fields have another value than the one that was sent, and does not look at
 * items of lists without names: a webhook may put others between them.
 */
export function leftOut(sent: SpecifiedPod, answer: SpecifiedPod | null): string[] {
  // A faulty server may answer a dry run with anything.
  if (answer?.spec === undefined) return [];
  const paths = compareSpecs(meant(sent.spec), answer.spec).flatMap(({ kind, path }) =>
    kind === "removed" && !/\[\d+\]$/.test(path) ? [path] : [],
  );
  return paths.map((path) => {
    const known = KNOWN.find(([pattern]) => covers(pattern, path))?.[1];
    const why = known ?? "its Kubernetes may not know it, or has it switched off";
    return `the API server left out spec.${path} of the pod: ${why}`;
  });
}

/** Without values that say the same as a missing field: an API server may leave them out, too. */
function meant(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(meant);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, one]: [string, unknown]) => [name, meant(one)] as const);
  return Object.fromEntries(entries.filter(([, one]) => !saysNothing(one)));
}

function saysNothing(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === "" || value === false || value === 0;
}
