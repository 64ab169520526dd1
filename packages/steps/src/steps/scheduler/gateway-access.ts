import {
  KindlingError,
  type ConfigMap,
  type KubernetesDriverSpec,
  type SparkConf,
  type Submission,
  type Volume,
} from "@kindling/core-spec";
import { DRIVER_MASTER } from "../../keys/driver/own-keys.ts";
import { readFor } from "../../read-for.ts";
import { add, onDriver, withResources, withSparkConf, withSpec } from "../../spark-pod.ts";
import {
  SCHEDULER,
  SCHEDULER_CA_FILE,
  SCHEDULER_CA_MAP,
  SCHEDULER_TOKEN_AUDIENCE,
  SCHEDULER_URI,
} from "./scheduler-keys.ts";

const VOLUME = "kindling-scheduler-access";
/** Where Spark's client looks for its token, the namespace, and the certificates of the API server. */
const MOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
/** Spark reads the token again about once a minute; the kubelet renews it after four fifths of its life. */
const TOKEN_SECONDS = 3600;

const OWN_CREDENTIALS =
  /^spark\.kubernetes\.authenticate\.driver\.(?:mounted\.)?(?:oauthToken|oauthTokenFile|caCertFile|clientKeyFile|clientCertFile)$/;

/**
 * Makes the driver use the gateway, and puts a token that only the gateway accepts where a stock driver looks for the token
 * of its account. There is no other token in the pod.
 */
export function withGatewayAccess(spec: KubernetesDriverSpec, submission: Submission): KubernetesDriverSpec {
  const { conf } = submission;
  refuseOtherAccess(conf);
  const uri = conf.get(SCHEDULER_URI);
  if (uri === undefined) {
    throw new KindlingError("CONF_MISSING", `${SCHEDULER_URI.key} is not set, and ${SCHEDULER.key}=gateway needs it`, {
      hint: `set it to the gateway's https URI, as pods reach it; kindling config --effective shows what is set`,
    });
  }
  refuseOtherMount(spec);
  const ca = certificates(submission);
  const mounted = onDriver(spec, ({ pod, container }) =>
    add(
      { pod: withSpec(pod, { automountServiceAccountToken: false }), container },
      {
        volumes: [accessVolume(conf.get(SCHEDULER_TOKEN_AUDIENCE), ca.metadata.name)],
        volumeMounts: [{ name: VOLUME, mountPath: MOUNT, readOnly: true }],
      },
    ),
  );
  const pointed = withSparkConf(mounted, { [DRIVER_MASTER.key]: uri });
  return ca.data === undefined ? pointed : withResources(pointed, ca);
}

/** Another address of the API server would win over the gateway's, and the gateway could not check other credentials. */
function refuseOtherAccess(conf: SparkConf): void {
  const other = Object.keys(conf.entries).find((key) => key === DRIVER_MASTER.key || OWN_CREDENTIALS.test(key));
  if (other === undefined) return;
  const why =
    other === DRIVER_MASTER.key
      ? `points the driver at ${SCHEDULER_URI.key}`
      : "gives the driver a token for the gateway and no other credentials";
  throw new KindlingError("CONF_CONFLICT", `${other} cannot be set with ${SCHEDULER.key}=gateway, which ${why}`, {
    hint: `leave ${other} out, or set ${SCHEDULER.key}=native`,
  });
}

function refuseOtherMount({ driverContainer }: KubernetesDriverSpec): void {
  const other = driverContainer.volumeMounts?.find(({ mountPath }) => mountPath.replace(/\/+$/, "") === MOUNT);
  if (other === undefined) return;
  throw new KindlingError(
    "CONF_CONFLICT",
    `volume ${other.name} is mounted at ${MOUNT} of the driver, where ${SCHEDULER.key}=gateway puts the gateway's token`,
    { hint: `mount it elsewhere, or set ${SCHEDULER.key}=native` },
  );
}

/** The ConfigMap with the gateway's certificates; if it has no data, it exists already. */
function certificates({ conf, files, resourceNamePrefix }: Submission): ConfigMap {
  const path = conf.get(SCHEDULER_CA_FILE);
  const configMap = { apiVersion: "v1", kind: "ConfigMap" } as const;
  if (path === undefined) return { ...configMap, metadata: { name: conf.get(SCHEDULER_CA_MAP) } };
  if (conf.has(SCHEDULER_CA_MAP)) {
    throw new KindlingError(
      "CONF_CONFLICT",
      `${SCHEDULER_CA_FILE.key} and ${SCHEDULER_CA_MAP.key} must not both be set`,
      {
        hint: "leave out the one that does not hold the gateway's certificates",
      },
    );
  }
  const pem = readFor(SCHEDULER_CA_FILE, () => files.readText(path));
  if (pem?.includes("-----BEGIN CERTIFICATE-----") !== true) {
    throw new KindlingError("FILE_UNPARSABLE", `${SCHEDULER_CA_FILE.key}: ${path} holds no certificate in PEM`);
  }
  // Every user who may read ConfigMaps could read the key there.
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) {
    throw new KindlingError("FILE_UNPARSABLE", `${SCHEDULER_CA_FILE.key}: ${path} holds a private key`, {
      hint: "name a file that holds certificates and nothing else: it goes into a ConfigMap",
    });
  }
  return {
    ...configMap,
    metadata: { name: `${resourceNamePrefix}-scheduler-ca` },
    immutable: true,
    data: { "ca.crt": pem },
  };
}

/** The volume that a kubelet usually mounts there, with another audience and other certificates. */
function accessVolume(audience: string, caConfigMap: string): Volume {
  return {
    name: VOLUME,
    projected: {
      sources: [
        { serviceAccountToken: { audience, expirationSeconds: TOKEN_SECONDS, path: "token" } },
        { configMap: { name: caConfigMap, items: [{ key: "ca.crt", path: "ca.crt" }] } },
        {
          downwardAPI: {
            items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
          },
        },
      ],
    },
  };
}
