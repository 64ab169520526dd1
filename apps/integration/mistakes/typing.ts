import { conf, PI, submitting, type Mistakes } from "./bench.ts";

/** Typing mistakes and misunderstandings that are found before any cluster is asked. */
export const TYPING: Mistakes = {
  "a misspelt command": () => ({ args: ["sumbit"] }),
  "a misspelt flag": (bench) => ({ args: submitting(bench, "--exectuor-memory", "2g", ...PI) }),
  "a flag of another command": () => ({ args: ["list", "--namspace", "spark"] }),
  "a misspelt key of Spark's": (bench) => ({
    args: submitting(bench, "--dry-run", ...conf({ "spark.kubernetes.driver.podTemplatFile": "x.yaml" }), ...PI),
  }),
  "a misspelt key of Kindling's": (bench) => ({
    args: submitting(bench, "--dry-run", ...conf({ "spark.kindling.stagin.uri": "https://staging" }), ...PI),
  }),
  "a key without a value": (bench) => ({ args: submitting(bench, "--conf", "spark.executor.memory", ...PI) }),
  "memory in Kubernetes' units": (bench) => ({ args: submitting(bench, "--executor-memory", "3GiB", ...PI) }),
  "a master without k8s://": () => ({ args: ["submit", "--master", "https://cluster:6443", ...PI] }),
  "no image": () => ({ args: ["submit", "--dry-run", "--name", "etl", ...PI] }),
  "no application": (bench) => ({ args: submitting(bench) }),
  "memory that heals, and no gateway": (bench) => ({
    args: submitting(bench, ...conf({ "spark.kindling.memory": "heal" }), ...PI),
  }),
  "a pod template that is not there": (bench) => ({
    args: submitting(bench, ...conf({ "spark.kubernetes.driver.podTemplateFile": "absent.yaml" }), ...PI),
  }),
  "a pod template that is no YAML": (bench) => ({
    args: submitting(bench, ...conf({ "spark.kubernetes.driver.podTemplateFile": "broken.yaml" }), ...PI),
  }),
  "a jar that is nowhere": (bench) => ({ args: submitting(bench, "--class", "Main", "nosuch.jar") }),
  "a file of this machine, and no place for it": (bench) => ({ args: submitting(bench, "app.py") }),
  "a staged file in a dry run": (bench) => ({
    args: submitting(bench, ...bench.staging.flags, "--dry-run", "app.py"),
  }),
  "a step that is not installed": (bench) => ({ args: submitting(bench, "--steps", "@corp/labels", ...PI) }),
  "an image without a version in its tag": (bench) => ({
    args: [
      "submit",
      "--dry-run",
      "-n",
      bench.namespace.name,
      ...conf({ "spark.kubernetes.container.image": "mycorp/spark:prod" }),
      ...PI,
    ],
  }),
};
