import type { KubeClient } from "@kindling/kube";

/** The ports of a web UI, as far as its driver has told them. */
export interface ToldPorts {
  readonly plain?: number;
  readonly tls?: number;
}

/** They are told when the SparkContext begins. */
const MOST_BYTES = 1024 * 1024;

// Utils.scala, startServiceOnPort. The second one is a warning, which drivers with a higher log level write as well.
const TOLD = [
  /Successfully started service 'SparkUI(?<tls> \(HTTPS\))?' on port (?<port>\d{1,5})\./,
  /Service 'SparkUI(?<tls> \(HTTPS\))?' could not bind on port \d+\. Attempting port (?<port>\d{1,5})\./,
];

/** Finds the ports that Spark has taken because others were not free. Without the right to read logs, none are found. */
export async function uiPortsInLog(
  client: Pick<KubeClient, "logs">,
  pod: { readonly namespace: string; readonly name: string; readonly container: string | undefined },
  signal: AbortSignal,
): Promise<ToldPorts> {
  const { namespace, name, container } = pod;
  let told: ToldPorts = {};
  try {
    const log = await client.logs(name, { namespace, container, limitBytes: MOST_BYTES, signal });
    for await (const line of log.lines()) told = { ...told, ...portsIn(line) };
  } catch {
    return told;
  }
  return told;
}

function portsIn(line: string): ToldPorts {
  // Most lines are about something else.
  if (!line.includes("'SparkUI")) return {};
  const { tls, port } = TOLD.map((pattern) => pattern.exec(line)?.groups).find((groups) => groups !== undefined) ?? {};
  if (port === undefined) return {};
  return tls === undefined ? { plain: Number(port) } : { tls: Number(port) };
}
