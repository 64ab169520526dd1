import { formatObject, formatOf, paint, type CommandContext, type CommandLine } from "@kindling/command-line";
import { harmlessText, sparkConf } from "@kindling/core-spec";
import {
  gatherConfigured,
  INSTALLATION,
  secretsIn,
  type Configuration,
  type ConfigurationRequest,
  type Gathered,
  type Installation,
} from "@kindling/submit";
import { examine, type Checkup } from "@kindling/submit/check";
import { checkupText } from "../output/checkup-text.ts";
import { VERSION } from "../version.ts";
import { REPORT_FORMATS } from "./output-formats.ts";
import { configureHere } from "./plan-offline.ts";
import { confOf } from "./reach-options.ts";
import { reachCluster } from "./target.ts";

/** Stands for a later application: it is in the image. */
const ANY_APPLICATION = { resource: "spark-internal", mainClass: "org.example.Main" } as const;

/** `kindling doctor`: examines an installation as a submitter. The result is the exit code. */
export async function doctorCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const { outside, output, secrets, signal } = context;
  const format = formatOf(line, REPORT_FORMATS);
  const note = (message: string): void => output.err(`${paint(output, "yellow", "note:")} ${harmlessText(message)}\n`);
  const request = requestOf(line);
  const configuration = configureHere(request, outside, note);
  const { entries, env } = configuration;
  for (const secret of secretsIn(entries)) secrets.hide(secret);
  const master = entries["spark.master"]?.startsWith("k8s") === true ? entries["spark.master"] : undefined;
  const reach = { master, context: undefined, namespace: entries["spark.kubernetes.namespace"], conf: entries };
  const { client } = await reachCluster(reach, context);
  const gather = (installation: Installation | undefined): Promise<Gathered> =>
    gatherConfigured(within(configuration, client.namespace), request, outside, "this-machine", {
      connection: { kind: "client", client },
      installations: () => Promise.resolve(installation),
      tell: note,
      signal,
      secrets,
    });
  const conf = sparkConf(entries, { sparkVersion: "", env: (name) => env[name] });
  const found: Checkup[] = [];
  try {
    const examined = examine({
      ...{
        client,
        namespace: client.namespace,
        installation: conf.get(INSTALLATION),
        configured: conf,
        version: VERSION,
      },
      ...{ pods: !line.has("no-pod"), gather, outside, secrets, signal },
    });
    for await (const checkup of examined) {
      found.push(checkup);
      if (format === "table") output.out(checkupText(checkup, output.onOut));
    }
  } finally {
    client.close();
  }
  if (format !== "table") output.out(await formatObject(found, format));
  return found.some(({ state }) => state === "problem") ? 1 : 0;
}

/** The request of a submission with these options. */
function requestOf(line: CommandLine): ConfigurationRequest {
  const [master, context, namespace, propertiesFile] = ["master", "context", "namespace", "properties-file"].map(
    (name) => line.value(name),
  );
  return {
    application: ANY_APPLICATION,
    conf: { ...confOf(line), ...(context !== undefined && { "spark.kubernetes.context": context }) },
    ...(master !== undefined && { master }),
    ...(namespace !== undefined && { namespace }),
    ...(propertiesFile !== undefined && { propertiesFile }),
  };
}

/** The same configuration, in the namespace that was found in the kubeconfig. */
function within(configuration: Configuration, namespace: string): Configuration {
  return { ...configuration, entries: { ...configuration.entries, "spark.kubernetes.namespace": namespace } };
}
