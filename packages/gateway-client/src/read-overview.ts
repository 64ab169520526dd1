import { harmlessText, KindlingError, messageOf, withHint } from "@kindling/core-spec";
import { environmentProxies, httpTransport, isHttpError, readText } from "@kindling/http";
import { isKubeError, type KubeClient } from "@kindling/kube";
import type { Clock, Env } from "@kindling/outside";
import type { GatewayOverview } from "./gateway-overview.ts";
import { type GatewayPlace, type GatewayService, shownPlace, USUAL_GATEWAY } from "./gateway-place.ts";
import { parseOverview } from "./parse-overview.ts";

/** Enough for ten thousand applications with a sentence each. */
const LONGEST_BYTES = 32 * 1024 * 1024;

export interface OverviewSource {
  readonly clock: Clock;
  readonly env: Env;
  /** Creates a client of the cluster, if the gateway is reached through the API server. The client is closed afterwards. */
  readonly cluster: () => Promise<KubeClient>;
  /** Turns an error of a call to the cluster into one for the user. */
  readonly clusterError: (error: unknown) => KindlingError;
  readonly signal: AbortSignal;
}

/**
 * Asks a gateway for its overview. A service is reached through the API server's proxy, with the user's own credentials for
 * the cluster. The gateway itself needs no credentials.
 *
 * @throws KindlingError
 */
export async function readOverview(place: GatewayPlace, source: OverviewSource): Promise<GatewayOverview> {
  const document = place.kind === "uri" ? await fromUri(place.uri, source) : await fromService(place, source);
  return parseOverview(document, shownPlace(place));
}

async function fromUri(uri: URL, { clock, env, signal }: OverviewSource): Promise<unknown> {
  const url = new URL("api/overview", uri.href.endsWith("/") ? uri : `${uri.href}/`);
  const transport = httpTransport({
    clock,
    tls: {},
    proxies: environmentProxies(env),
    connectTimeoutMs: 10_000,
    stallTimeoutMs: 10_000,
    answerTimeoutMs: 10_000,
  });
  try {
    const headers = { accept: "application/json" };
    const response = await transport.send({ method: "GET", url, headers, signal });
    const text = await readText(response, { mostBytes: LONGEST_BYTES });
    if (response.status === 404) throw noPage(uri.href);
    if (response.status !== 200) throw refused(uri.href, response.status, text);
    return parseJson(text);
  } catch (error) {
    if (!isHttpError(error)) throw error;
    if (error.kind === "aborted") throw new KindlingError("INTERRUPTED", "interrupted", { cause: error });
    throw new KindlingError("CLUSTER_UNREACHABLE", `the gateway does not answer: ${harmlessText(error.message)}`, {
      hint:
        error.hint ??
        "check --gateway or spark.kindling.scheduler.pageUri; use kubectl port-forward for a gateway that cannot be reached in another way",
      cause: error,
    });
  } finally {
    transport.close();
  }
}

async function fromService(place: GatewayService, { cluster, clusterError, signal }: OverviewSource): Promise<unknown> {
  const { namespace, name, port } = place;
  const path = `/api/v1/namespaces/${namespace}/services/http:${name}:${port}/proxy/api/overview`;
  const client = await cluster();
  try {
    return await client.request({ method: "GET", path, signal, maxBytes: LONGEST_BYTES });
  } catch (error) {
    if (!isKubeError(error) || error.kind !== "status") throw clusterError(error);
    if (error.status === 403) throw forbidden(place, clusterError(error));
    if (error.status === 404 && error.reason === "NotFound") {
      throw new KindlingError("OBJECT_NOT_FOUND", `there is no ${shownPlace(place)}`, {
        hint: "an installation is looked for in the current namespace: name one that it serves with -n, or the gateway's service with --gateway NAMESPACE/NAME; without a gateway, kindling list shows applications",
        cause: error,
      });
    }
    if (error.status === 404) throw noPage(shownPlace(place));
    if (error.status === 503) {
      throw new KindlingError("CLUSTER_UNREACHABLE", `${shownPlace(place)}: ${harmlessText(error.serverMessage)}`, {
        hint: `check that a gateway is ready, and that port ${port} of the service is its admin port: kubectl -n ${namespace} get endpointslices -l kubernetes.io/service-name=${name}`,
        cause: error,
      });
    }
    throw clusterError(error);
  } finally {
    client.close();
  }
}

/** The user needs the right to one service's proxy, which no role for submitters includes. The chart creates a role for it. */
function forbidden({ namespace, name, port }: GatewayService, error: KindlingError): KindlingError {
  const role = `kubectl -n ${namespace} create role kindling-queues --verb=get --resource=services/proxy --resource-name=http:${name}:${port}`;
  const binding = `kubectl -n ${namespace} create rolebinding kindling-queues-USER --role=kindling-queues --user=USER`;
  const isChart = name === USUAL_GATEWAY.name && port === USUAL_GATEWAY.port;
  return withHint(
    new KindlingError(error.code, error.message, { cause: error.cause }),
    `the administrator of the gateway can allow it: ${isChart ? `the chart's value queueReaders, or ${binding}` : `${role}; ${binding}`}`,
  );
}

function noPage(where: string): KindlingError {
  return new KindlingError("UNSUPPORTED", `what answers at ${where} tells of no queues`, {
    hint: "name the gateway's admin port, 8081 unless admin.port says otherwise, with --gateway; admin.page=false leaves it out there",
  });
}

function refused(where: string, status: number, text: string): KindlingError {
  return new KindlingError("CLUSTER_REFUSED", `${where} answers with status ${status}: ${harmlessText(text.trim())}`, {
    hint: "check that --gateway or spark.kindling.scheduler.pageUri is the gateway's admin port",
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Then it is not the answer of a gateway; the next step finds that out.
    return messageOf(error);
  }
}
