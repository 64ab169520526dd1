// Whether the pods of Kindling's operator are those that stock's webhook leaves: kubeflow/spark-operator v2.5.2, with its
// own mutation of pods.
import { askStock } from "./ask-stock.mjs";
import { differences } from "./pods/differences.mjs";
import { exampleApplications } from "./pods/example-applications.mjs";
import { generatedApplication } from "./pods/generated-applications.mjs";
import { asTemplatesCan, confBehind, withoutDots, withSparkApart } from "./pods/meant-differences.mjs";
import { MODULES, podPairs } from "./pods/pod-pairs.mjs";
import { seenEnvironment } from "./pods/seen-environment.mjs";
import { sourceModules } from "./source-modules.mjs";

/**
 * Makes driver and executor pods of kubeflow's examples and of generated applications for Spark 4.0.4, with the webhook's
 * fields by our step and by stock's webhook, and compares them field by field. What is meant to differ is taken out
 * (`pods/meant-differences.mjs`).
 *
 * @param {string} program kindling-compare
 * @param {string} examples kubeflow's folder of them
 * @param {number} [count] of generated applications
 * @returns {Promise<{applications: number, driverPods: number, executorPods: number, templatedExecutorPods: number, otherEnvironments: number, differences: string[]}>}
 * `otherEnvironments` are drivers that see another value of a variable, since Spark's own is behind it
 */
export async function compareDriverPods(program, examples, count = 400) {
  const operator = await sourceModules(MODULES);
  const generated = Array.from({ length: count }, (_, index) => generatedApplication(index + 1));
  const applications = [...exampleApplications(examples), ...generated];
  const pairs = [];
  for (const application of applications) pairs.push(...(await podPairs(application, operator)));
  // Ours go through the same types, for one spelling of quantities and the like.
  const answers = askStock(program, [
    ...pairs.map(({ application, before }) => ({ what: "pod", application, pod: before })),
    ...pairs.map(({ ours }) => ({ what: "pod", pod: ours })),
  ]);
  const compared = pairs.map((pair, index) => {
    const [stock, ours] = [answers[index], answers[pairs.length + index]];
    return { ...pair, stock, ours: ours.pod, found: differ(pair, stock, ours.pod) };
  });
  const ofKind = (kind) => compared.filter((pair) => pair.kind === kind);
  return {
    applications: applications.length,
    driverPods: ofKind("driver").length,
    executorPods: ofKind("gateway").length,
    templatedExecutorPods: ofKind("template").length,
    otherEnvironments: ofKind("driver").filter(({ stock, ours }) => !seeTheSame(stock.pod, ours)).length,
    differences: compared.flatMap(({ application, kind, found }) =>
      found.map((text) => `${application.metadata.name}, ${kind}${text}`),
    ),
  };
}

function differ({ kind, application, warnings }, stock, own) {
  if (stock.error !== undefined) return [`: stock refuses it: ${stock.error}`];
  const name = kind === "driver" ? "spark-kubernetes-driver" : "spark-kubernetes-executor";
  const ours = withSparkApart(own, name);
  const theirs = withoutDots(withSparkApart(stock.pod, name), ours);
  if (kind === "gateway") return differences(theirs, ours);
  const levelled = (pod) => (kind === "driver" ? confBehind(pod) : asTemplatesCan(pod, { warnings, application }));
  return differences(levelled(theirs), levelled(ours));
}

function seeTheSame(theirs, ours) {
  const [left, right] = [theirs, ours].map(({ spec }) => {
    return seenEnvironment(spec.containers.find(({ name }) => name === "spark-kubernetes-driver").env);
  });
  return differences(left, right).length === 0;
}
