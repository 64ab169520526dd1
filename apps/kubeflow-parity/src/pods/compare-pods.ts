// Whether the pods of Kindling's operator are the same as those that the stock webhook makes: kubeflow/spark-operator v2.5.2,
// with its own mutation of pods.
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
  /** How many drivers see another value of a variable, because Spark's own value comes after it. */
  readonly otherEnvironments: number;
  readonly differences: readonly string[];
}

/**
 * Makes driver and executor pods of kubeflow's examples and of generated applications for Spark 4.0.4. The webhook's fields are
 * applied once by our step and once by the stock webhook. Then the pods are compared field by field. Intended differences are
 * removed before (`meant-differences.ts`).
 *
 * @param program kindling-compare
 * @param examples kubeflow's folder of examples
 * @param count how many applications to generate
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
  // Our pods go through the same types, so that quantities and similar values are spelled the same.
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

/** The name of Spark's container, by the kind of a pair. */
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
