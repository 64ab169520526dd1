import { conf, FIELD, inSection, SWITCH, type Flag } from "./flag.ts";

/** Flags that spark-submit does not have. */
export const KINDLING_FLAGS: readonly Flag[] = inSection("kindling", [
  {
    name: "--dry-run",
    effect: { kind: "switch", modes: ["client", "server"] },
    help: "print objects for kubectl apply; =client (default), or =server: stages files",
  },
  {
    name: "--output",
    short: "-o",
    value: "FORMAT",
    effect: FIELD,
    help: "yaml or json, for --dry-run and the result",
  },
  {
    name: "--executor",
    effect: SWITCH,
    help: "with --dry-run: the pod that an executor will get",
  },
  {
    name: "--show-secrets",
    effect: SWITCH,
    help: "with --dry-run: print secrets too, so that the objects can be applied",
  },
  {
    name: "--check",
    effect: SWITCH,
    help: "check whether the cluster and the staging server would accept it, from here and from a pod",
  },
  {
    name: "--namespace",
    short: "-n",
    value: "NAME",
    effect: conf("spark.kubernetes.namespace"),
    help: "the namespace; default: the context's or, with --master, default",
  },
  {
    name: "--context",
    value: "NAME",
    effect: conf("spark.kubernetes.context"),
    help: "the kubeconfig's context to use",
  },
  { name: "--logs", effect: SWITCH, help: "show the driver's log while waiting" },
  {
    name: "--timeout",
    value: "TIME",
    effect: FIELD,
    help: "wait so long for the end, such as 2h; then exit with 124: the application goes on",
  },
  {
    name: "--pending-timeout",
    value: "TIME",
    effect: FIELD,
    help: "the same until the driver has started, such as 10m",
  },
  {
    name: "--kill-on-timeout",
    effect: SWITCH,
    help: "end the application when one of these is over, as kindling kill does",
  },
  {
    name: "--submission-id",
    value: "ID",
    effect: FIELD,
    help: "the same id twice gives one application",
  },
  {
    name: "--steps",
    value: "STEPS",
    effect: conf("spark.kindling.steps"),
    help: "npm packages or files with submission steps, comma separated",
  },
]);
