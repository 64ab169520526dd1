import { once } from "node:events";
import type { Duplex } from "node:stream";
import { connect, type TLSSocket } from "node:tls";
import type { CommandContext, CommandLine } from "@kindling/command-line";
import { KindlingError, messageOf, SPARK_CONNECT_PORT } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { forwardPort, type PortHere } from "../ui/forward-port.ts";
import { faultPrinter, portOf } from "../ui/show-ui.ts";
import { type ConnectAddress, formatConnectAddress, usesTls } from "./connect-address.ts";
import { podBehind, serviceNamed, serviceNameIn } from "./service-behind.ts";

/** A port of this machine that leads to Spark Connect in the cluster. */
export interface ForwardedConnect {
  readonly address: ConnectAddress;
  close(): void;
}

/**
 * Lets clients of this machine reach a service of the cluster through the API server. The service's TLS ends here, where its
 * certificate is checked: clients would look for the name `localhost` in it.
 *
 * @param pem the certificates that the service's must be signed by
 * @throws KindlingError `ARGUMENT_INVALID` if the address names no service of the cluster
 */
export async function forwardConnect(
  client: KubeClient,
  {
    line,
    address,
    pem,
  }: { readonly line: CommandLine; readonly address: ConnectAddress; readonly pem: string | undefined },
  { output, signal }: CommandContext,
): Promise<ForwardedConnect> {
  const own = portOf(line, SPARK_CONNECT_PORT);
  const named = serviceNameIn(address);
  if (named === undefined) throw noService(address);
  const service = await serviceNamed(client, named, address.port, signal);
  // Faults are told now, and not when the first client comes.
  await podBehind(client, service, signal);
  // An interrupt is for the command that uses the connection: pyspark ends a query with it, and goes on.
  const closing = new AbortController();
  const open = async (): Promise<Duplex> => {
    // For each connection again: the pod before may be gone.
    const { pod, port } = await podBehind(client, service, closing.signal);
    const inPod = await client.portForward(pod, port, { namespace: service.namespace, signal: closing.signal });
    return usesTls(address) ? await secured(inPod, address.host, pem) : inPod;
  };
  const here: PortHere = await forwardPort({ open, own, onFault: faultPrinter(output, closing.signal) });
  const close = (): void => {
    closing.abort();
    here.close();
  };
  const { use_ssl: _, ...parameters } = address.parameters;
  return { address: { host: "localhost", port: here.port, parameters }, close };
}

/** @throws KindlingError `CLUSTER_REFUSED` if the certificate is not accepted */
async function secured(socket: Duplex, host: string, pem: string | undefined): Promise<TLSSocket> {
  const options = { socket, servername: host, ALPNProtocols: ["h2"], ...(pem !== undefined && { ca: pem }) };
  const secure = connect(options);
  try {
    await once(secure, "secureConnect");
    return secure;
  } catch (error) {
    secure.destroy();
    throw new KindlingError("CLUSTER_REFUSED", `kindling-connect at ${host} is not trusted: ${messageOf(error)}`, {
      hint: "--ca-file names the certificates that its own must be signed by",
      cause: error,
    });
  }
}

function noService(address: ConnectAddress): KindlingError {
  const shown = formatConnectAddress({ ...address, parameters: {} });
  return new KindlingError("ARGUMENT_INVALID", `--forward: ${shown} is no service of the cluster`, {
    hint: "leave --forward out, or name a service: --address sc://NAME.NAMESPACE.svc:15002/;use_ssl=true",
  });
}
