import {
  confKey,
  confType,
  DNS_LABEL_MAX_LENGTH,
  KindlingError,
  SPARK_APP_ID_LABEL,
  type ConfKey,
  type Service,
  type Step,
  type Submission,
} from "@kindling/core-spec";
import { CONNECT_PORT, DRIVER_BLOCK_MANAGER_PORT, DRIVER_PORT, UI_PORT } from "../keys/pod-keys.ts";
import { DRIVER_LABEL, SERVICE_ANNOTATION, SERVICE_LABEL } from "../keys/prefixes.ts";
import { withResources, withSparkConf } from "../spark-pod.ts";
import { driverLabels } from "./basic/labels.ts";

const { boolean, oneOf } = confType;

export const IP_FAMILY_POLICY: ConfKey<string> = confKey({
  key: "spark.kubernetes.driver.service.ipFamilyPolicy",
  type: oneOf("SingleStack", "PreferDualStack", "RequireDualStack"),
  default: "SingleStack",
  since: "3.4.0",
  readBy: ["submit"],
  doc: "The IP family policy of the driver Service.",
});

export const IP_FAMILIES: ConfKey<string> = confKey({
  key: "spark.kubernetes.driver.service.ipFamilies",
  type: oneOf("IPv4", "IPv6", "IPv4,IPv6", "IPv6,IPv4"),
  default: "IPv4",
  since: "3.4.0",
  readBy: ["submit"],
  doc: "The IP families of the driver Service.",
});

export const PUBLISH_NOT_READY_ADDRESSES: ConfKey<boolean> = confKey({
  key: "spark.kubernetes.driver.service.publishNotReadyAddresses",
  type: boolean,
  default: "false",
  since: "4.3.0",
  readBy: ["submit"],
  doc: "Whether the driver Service's name resolves before the driver pod is ready.",
});

/**
 * The headless Service that executors use to find the driver. Counterpart of `DriverServiceFeatureStep`. Its name is a DNS
 * label; if the usual name is too long, a short one with its own id is used instead.
 */
export const driverService: Step = {
  name: "driver-service",
  keys: [IP_FAMILY_POLICY, IP_FAMILIES, PUBLISH_NOT_READY_ADDRESSES, DRIVER_LABEL, SERVICE_LABEL, SERVICE_ANNOTATION],
  overrides: [DRIVER_PORT, DRIVER_BLOCK_MANAGER_PORT].map((key) => `driverSparkConf[${key.key}]`),
  configureDriver(spec, submission) {
    for (const key of ["spark.driver.bindAddress", "spark.driver.host"]) refuseAddress(key, submission);
    const name = serviceName(submission);
    return withSparkConf(withResources(spec, service(name, submission)), {
      "spark.driver.host": `${name}.${submission.namespace}.svc`,
      [DRIVER_PORT.key]: String(submission.conf.get(DRIVER_PORT)),
      [DRIVER_BLOCK_MANAGER_PORT.key]: String(submission.conf.get(DRIVER_BLOCK_MANAGER_PORT)),
    });
  },
};

function refuseAddress(key: string, { conf }: Submission): void {
  if (conf.raw(key) === undefined) return;
  throw new KindlingError(
    "CONF_CONFLICT",
    `${key} is not supported on Kubernetes: the driver listens at its pod's address`,
    {
      hint: "leave it out; executors reach the driver through its Service",
    },
  );
}

function serviceName({ resourceNamePrefix, ids, notice }: Submission): string {
  const preferred = `${resourceNamePrefix}-driver-svc`;
  if (preferred.length <= DNS_LABEL_MAX_LENGTH) return preferred;
  const short = `spark-${ids.uniqueId("driver-service")}-driver-svc`;
  notice(
    `the driver Service is called ${short}, because ${preferred} is longer than ${DNS_LABEL_MAX_LENGTH} characters`,
  );
  return short;
}

function service(name: string, submission: Submission): Service {
  const { conf, appId } = submission;
  const annotations = conf.withPrefix(SERVICE_ANNOTATION);
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name,
      labels: { [SPARK_APP_ID_LABEL]: appId, ...conf.withPrefix(SERVICE_LABEL) },
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    spec: {
      clusterIP: "None",
      ...(conf.version.has("not-ready-addresses") && {
        publishNotReadyAddresses: conf.get(PUBLISH_NOT_READY_ADDRESSES),
      }),
      ipFamilyPolicy: conf.get(IP_FAMILY_POLICY),
      ipFamilies: conf.get(IP_FAMILIES).split(","),
      selector: driverLabels(submission),
      ports: [
        port("driver-rpc-port", conf.get(DRIVER_PORT)),
        // Unlike the container's port, the Service's does not fall back to spark.blockManager.port.
        port("blockmanager", conf.get(DRIVER_BLOCK_MANAGER_PORT)),
        port("spark-ui", conf.get(UI_PORT)),
        ...(conf.version.has("connect-port")
          ? [
              {
                ...port("spark-connect", conf.get(CONNECT_PORT)),
                ...(conf.version.has("connect-over-grpc") && { appProtocol: "grpc" }),
              },
            ]
          : []),
      ],
    },
  };
}

function port(name: string, number: number): { name: string; port: number; targetPort: number } {
  return { name, port: number, targetPort: number };
}
