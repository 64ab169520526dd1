import { conf, FIELD, inSection, type Flag } from "./flag.ts";

/** What to run, and where. */
export const APPLICATION_FLAGS: readonly Flag[] = inSection("application", [
  {
    name: "--master",
    value: "URL",
    effect: conf("spark.master"),
    help: "k8s://https://host:port; default: the kubeconfig's current context",
  },
  {
    name: "--deploy-mode",
    value: "MODE",
    effect: conf("spark.submit.deployMode"),
    help: "cluster (default on Kubernetes) or client, which is handed to spark-submit",
  },
  {
    name: "--class",
    value: "CLASS",
    effect: FIELD,
    help: "the application's main class; default: the one that its jar names",
  },
  {
    name: "--name",
    value: "NAME",
    effect: conf("spark.app.name"),
    help: "the application's name",
  },
  {
    name: "--remote",
    value: "URL",
    effect: conf("spark.remote"),
    help: "a Spark Connect server; handed to spark-submit",
  },
]);
