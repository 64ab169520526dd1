import type { CommandLine, Option } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import type { Reach } from "@kindling/submit";

/** The options that name the cluster of a command. */
export const REACH_OPTIONS: readonly Option[] = [
  { name: "master", value: "URL", help: "k8s://https://host:port; default: the kubeconfig's current context" },
  { name: "context", value: "NAME", help: "the kubeconfig's context to use" },
  { name: "namespace", short: "n", value: "NAME", help: "the namespace; default: the context's" },
  {
    name: "conf",
    short: "c",
    value: "KEY=VALUE",
    help: "a Spark key about the connection, such as spark.kubernetes.authenticate.submission.*",
  },
];

/** How to reach the cluster according to the command line. */
export function reachOf(line: CommandLine): Reach {
  const conf = confOf(line);
  return {
    master: line.value("master"),
    context: line.value("context"),
    namespace: line.value("namespace") ?? conf["spark.kubernetes.namespace"],
    conf,
  };
}

/** The entries that `--conf` gives. */
export function confOf(line: CommandLine): Record<string, string> {
  const conf: Record<string, string> = {};
  for (const text of line.values("conf")) {
    const equals = text.indexOf("=");
    if (equals < 0)
      throw new KindlingError("ARGUMENT_INVALID", `--conf ${text}: there is no '='`, {
        hint: "write --conf key=value",
      });
    conf[text.slice(0, equals)] = text.slice(equals + 1);
  }
  return conf;
}
