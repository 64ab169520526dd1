import type { KubeClient } from "@kindling/kube";
import { probeFromPod, type OpenedStaging } from "../check/probe-pod.ts";
import { uploadRight } from "../check/upload-right.ts";
import type { Gathered } from "../gather/gather.ts";
import { isStagingServer } from "../gather/installation/with-installation.ts";
import { stagingAccess, type StagingAccess } from "../gather/staging/staging-access.ts";
import { STAGING_URI } from "../keys/staging-keys.ts";
import type { ServiceOfCluster } from "../keys/service-uri.ts";
import { internalStagingUri, parseStagingService } from "../keys/staging-place.ts";
import { confOf } from "../plan/plan-input.ts";
import { submitterToken } from "../stage/submitter-token.ts";
import type { ExamineOptions } from "./examine-options.ts";
import { look, ok, problem, warning, type Checkup, type Found } from "./finding.ts";
import { missingRights, shown, type Right } from "./rights.ts";

const PROXY_VERBS = ["get", "create", "update", "patch", "delete"];

/**
 * The checks of the staging server: the rights that it needs, then access from here, then access from a pod. They stop at the
 * first problem.
 */
export async function* stagingCheckups(
  { input, installation }: Gathered,
  { client, namespace, outside, secrets, signal, pods }: ExamineOptions,
): AsyncGenerator<Checkup, void> {
  const conf = confOf(input);
  const uri = conf.get(STAGING_URI);
  if (uri === undefined) {
    yield await look("staging", () => Promise.resolve(noServer()));
    return;
  }
  const found = installation !== undefined && isStagingServer(installation) ? installation : undefined;
  let opened: OpenedStaging | undefined;
  const rights = await look("staging rights", async () => {
    const access = stagingAccess(conf, input.env, outside.clock, found);
    const token = submitterToken(access, (ask) => ask(client, namespace), outside.clock);
    opened = { access, credentials: { submitterToken: token, secrets, cluster: () => client.access } };
    return await stagingRights(client, namespace, access, signal);
  });
  yield rights;
  if (opened === undefined || rights.state === "problem") return;
  const known = opened;
  const here = await look("staging from here", async () => {
    const { allowed, detail } = await uploadRight(known, namespace, signal);
    return allowed
      ? ok(`${uri}: ${detail}`)
      : problem(`${uri}: ${detail}`, "ask whoever runs the staging server for the right to upload");
  });
  yield here;
  if (!pods || here.state === "problem") return;
  yield await look("staging from a pod", async () => {
    const text = await probeFromPod(input, known, client, outside, signal);
    return ok(`${internalStagingUri(conf, uri)}: ${text}`);
  });
}

function noServer(): Found {
  return warning(
    "there is no staging server: files of your disk need spark.kubernetes.file.upload.path",
    `an installation brings one (staging.enabled), or ${STAGING_URI.key} names one`,
  );
}

async function stagingRights(
  client: KubeClient,
  namespace: string,
  { uri, token, cert, serviceAccount }: StagingAccess,
  signal: AbortSignal,
): Promise<Found> {
  const service = parseStagingService(uri);
  const missing =
    service === undefined ? [] : await missingRights(client, service.namespace, proxyRights(service), signal);
  if (service !== undefined && missing.length > 0) {
    return problem(
      `you may not reach service ${service.name} in namespace ${service.namespace} through the API server: ${shown(missing)}`,
      `ask whoever installed it to add you to the chart's value users; or: kubectl -n ${service.namespace} create role kindling-staging-users --verb=${PROXY_VERBS.join(",")} --resource=services/proxy --resource-name=https:${service.name}:${service.port}, and a binding`,
    );
  }
  if (token !== undefined || cert !== undefined) return ok("you have credentials for the staging server");
  const minting: Right = { verb: "create", group: "", resource: "serviceaccounts/token", name: serviceAccount };
  if ((await missingRights(client, namespace, [minting], signal)).length === 0) {
    return ok(`you may make tokens of ${serviceAccount} in namespace ${namespace}`);
  }
  return problem(
    `you may not make tokens of ${serviceAccount} in namespace ${namespace}, which uploading needs`,
    `ask whoever installed it to add you to the chart's value submitters; or: kubectl -n ${namespace} create role kindling-submitter --verb=create --resource=serviceaccounts/token --resource-name=${serviceAccount}, and a binding`,
  );
}

function proxyRights({ name, port }: ServiceOfCluster): readonly Right[] {
  return PROXY_VERBS.map((verb) => ({ verb, group: "", resource: "services/proxy", name: `https:${name}:${port}` }));
}
