// Whether the pods of Kindling's operator are those that stock's webhook leaves: kubeflow/spark-operator v2.5.2, with its
// own mutation of pods.
import type { Pod } from "@kindling/core-spec";
import { askStock } from "../ask-stock.ts";
import { differences } from "../differences.ts";
import { exampleApplications } from "./example-applications.ts";
import { generatedApplication } from "./generated-applications.ts";
import { asTemplatesCan, confBehind, type PodApart, withoutDots, withSparkApart } from "./meant-differences.ts";
import { type PodPair, podPairs } from "./pod-pairs.ts";
import { seenEnvironment } from "./seen-environment.ts";

type StockPod = { readonly error: string } | { readonly error?: undefined; readonly pod: Pod };

export interface ComparedPods {
  readonly applications: number;
  readonly driverPods: number;
  readonly executorPods: number;
  readonly templatedExecutorPods: number;
  /** Drivers that see another value of a variable, since Spark's own is behind it. */
  readonly otherEnvironments: number;
  readonly differences: readonly string[];
}

/**
 * Makes driver and executor pods of kubeflow's examples and of generated applications for Spark 4.0.4, with the webhook's
 * fields by our step and by stock's webhook, and compares them field by field. What is meant to differ is taken out
 * (`meant-differences.ts`).
 *
 * @param program kindling-compare
 * @param examples kubeflow's folder of them
 * @param count of generated applications
 */
export async function comparePods(program: string, examples: string, count: number = 400): Promise<ComparedPods> {
  const generated = Array.from({ length: count }, (_, index) => generatedApplication(index + 1));
  const applications = [...exampleApplications(examples), ...generated];
  const pairs: PodPair[] = [];
  for (const application of applications) pairs.push(...(await podPairs(application)));
  const changed = askStock<StockPod>(
    program,
    pairs.map(({ application, before }) => ({ what: "pod", application, pod: before })),
  );
  // Ours go through the same types, for one spelling of quantities and the like.
  const spelt = askStock<StockPod>(
    program,
    pairs.map(({ ours }) => ({ what: "pod", pod: ours })),
  );
  const compared = pairs.map((pair, index) => ({ ...pair, ...comparedPair(pair, changed[index], spelt[index]) }));
  const ofKind = (kind: PodPair["kind"]): typeof compared => compared.filter((pair) => pair.kind === kind);
  return {
    applications: applications.length,
    driverPods: ofKind("driver").length,
    executorPods: ofKind("gateway").length,
    templatedExecutorPods: ofKind("template").length,
    otherEnvironments: ofKind("driver").filter(({ seesAnother }) => seesAnother).length,
    differences: compared.flatMap(({ application, kind, found }) =>
      found.map((text) => `${application.metadata.name}, ${kind}${text}`),
    ),
  };
}

/** How Spark's container is called, by the kind of a pair. */
const CONTAINERS = {
  driver: "spark-kubernetes-driver",
  gateway: "spark-kubernetes-executor",
  template: "spark-kubernetes-executor",
} as const;

function comparedPair(pair: PodPair, changed: StockPod | undefined, spelt: StockPod | undefined) {
  if (changed === undefined || spelt === undefined) throw new Error("kindling-compare has answered too little");
  if (changed.error !== undefined) return { found: [`: stock refuses it: ${changed.error}`], seesAnother: false };
  if (spelt.error !== undefined) throw new Error(`stock cannot read a pod of ours: ${spelt.error}`);
  const name = CONTAINERS[pair.kind];
  const [theirs, ours] = [withSparkApart(changed.pod, name), withSparkApart(spelt.pod, name)];
  return { found: differ(pair, withoutDots(theirs, ours), ours), seesAnother: !seeTheSame(theirs, ours) };
}

function differ({ kind, application, warnings }: PodPair, theirs: PodApart, ours: PodApart): string[] {
  if (kind === "gateway") return differences(theirs, ours);
  const levelled = (pod: PodApart): object =>
    kind === "driver" ? confBehind(pod) : asTemplatesCan(pod, { warnings, application });
  return differences(levelled(theirs), levelled(ours));
}

function seeTheSame(theirs: PodApart, ours: PodApart): boolean {
  return differences(seenEnvironment(theirs.spec.spark.env), seenEnvironment(ours.spec.spark.env)).length === 0;
}
