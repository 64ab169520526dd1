import { KindlingError, type KubernetesDriverSpec, type Step, type Submission } from "@kindling/core-spec";
import { checkLabels, type Labelled } from "./check-labels.ts";
import { EXECUTOR_LABEL, LABEL, POLICY } from "./keys.ts";
import { parsePolicy, type Rule } from "./policy.ts";

const DRIVER_LABEL = "spark.kubernetes.driver.label.";

/**
 * Labels of drivers and executors, and the site's policy for them. Executors get theirs through Spark's own keys, which the
 * driver half adds to the driver's configuration. So the driver labels them itself, no matter which component creates them.
 */
const labels: Step = {
  name: "labels",
  keys: [POLICY, LABEL],
  localFiles(conf) {
    const path = conf.get(POLICY);
    return path === undefined ? [] : [path];
  },
  configureDriver(spec, submission) {
    const { rules, policyFile } = rulesOf(submission);
    const wanted = { ...defaultsOf(rules, spec), ...submission.conf.withPrefix(LABEL) };
    const driver = labelsOfDriver(spec, wanted, submission);
    const executor = labelsOfExecutors(spec, driver);
    [...driver, ...executor].forEach(refuseUnfit);
    checkLabels(rules, [...driver, ...executor], policyFile);
    const added = driver.filter(({ label }) => wanted[label] !== undefined);
    const ruled = driver.filter(({ label }) => rules.some((rule) => rule.label === label));
    const handed = [...new Set([...added, ...ruled])].filter(({ label }) => !given(spec, label));
    if (added.length === 0 && handed.length === 0) return spec;
    const { metadata } = spec.driverPod;
    const entries = (prefix: string, all: readonly Labelled[]): Record<string, string> =>
      Object.fromEntries(all.map(({ label, value }) => [prefix + label, value]));
    return {
      ...spec,
      driverPod: {
        ...spec.driverPod,
        metadata: { ...metadata, labels: { ...metadata?.labels, ...entries("", added) } },
      },
      driverSparkConf: { ...spec.driverSparkConf, ...entries(EXECUTOR_LABEL, handed) },
    };
  },
};

export default labels;

function rulesOf({ conf, files, namespace }: Submission): { rules: readonly Rule[]; policyFile: string } {
  const path = conf.get(POLICY);
  if (path === undefined) return { rules: [], policyFile: "" };
  const text = files.readText(path);
  if (text === undefined) throw new KindlingError("FILE_UNPARSABLE", `${POLICY.key}: ${path} is not a UTF-8 text`);
  return { rules: parsePolicy(text, `${POLICY.key}: ${path}`).rulesFor(namespace), policyFile: path };
}

/** The policy's own values, for labels that the driver does not have otherwise. */
function defaultsOf(rules: readonly Rule[], { driverPod }: KubernetesDriverSpec): Record<string, string> {
  const present = driverPod.metadata?.labels ?? {};
  return Object.fromEntries(
    rules.flatMap((rule) =>
      rule.default === undefined || present[rule.label] !== undefined ? [] : [[rule.label, rule.default]],
    ),
  );
}

/** The labels that the driver has already from Spark's keys or its template, and those that it will get. */
function labelsOfDriver(
  { driverPod }: KubernetesDriverSpec,
  wanted: Readonly<Record<string, string>>,
  { conf }: Submission,
): Labelled[] {
  const present = Object.entries(driverPod.metadata?.labels ?? {}).map(([label, value]) => {
    const key = DRIVER_LABEL + label;
    return { label, value, givenBy: !Object.hasOwn(conf.entries, key) ? "the driver's pod template" : key };
  });
  const asked = conf.withPrefix(LABEL);
  const toGet = Object.entries(wanted).map(([label, value]) => {
    const isAsked = asked[label] !== undefined;
    return { label, value, givenBy: isAsked ? LABEL.prefix + label : "the policy's own default" };
  });
  for (const { label, value, givenBy } of present) {
    if (wanted[label] !== undefined && wanted[label] !== value) throw twice(LABEL.prefix + label, givenBy);
  }
  return [...toGet, ...present.filter(({ label }) => wanted[label] === undefined)];
}

/** The labels that executors get from Spark's own keys; they must not differ from those that both will get. */
function labelsOfExecutors({ driverSparkConf }: KubernetesDriverSpec, driver: readonly Labelled[]): Labelled[] {
  return Object.entries(driverSparkConf).flatMap(([key, value]) => {
    if (!key.startsWith(EXECUTOR_LABEL)) return [];
    const label = key.slice(EXECUTOR_LABEL.length);
    const both = driver.find((one) => one.label === label && one.givenBy.startsWith(LABEL.prefix));
    if (both !== undefined && both.value !== value) throw twice(both.givenBy, key);
    return [{ label, value, givenBy: key }];
  });
}

function given({ driverSparkConf }: KubernetesDriverSpec, label: string): boolean {
  return driverSparkConf[EXECUTOR_LABEL + label] !== undefined;
}

function refuseUnfit({ label, value, givenBy }: Labelled): void {
  if (/^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/.test(value)) return;
  throw new KindlingError("CONF_INVALID", `${givenBy}: ${JSON.stringify(value)} is no value of a label (${label})`, {
    hint: "at most 63 letters, digits, -, _ and ., of which the first and the last are letters or digits",
  });
}

function twice(one: string, other: string): KindlingError {
  return new KindlingError("CONF_CONFLICT", `${one} and ${other} give different values to one label`, {
    hint: `${LABEL.prefix}<label> is for driver and executors; leave the other one out`,
  });
}
