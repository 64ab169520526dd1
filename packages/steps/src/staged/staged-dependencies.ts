import {
  KindlingError,
  SPARK_APP_ID_LABEL,
  type Container,
  type EnvVar,
  type Secret,
  type SparkConf,
  type Step,
  type VolumeMount,
} from "@kindling/core-spec";
import {
  DRIVER_ENV,
  DRIVER_SECRET_KEY_REF,
  DRIVER_SECRETS,
  EXECUTOR_ENV,
  EXECUTOR_SECRET_KEY_REF,
  EXECUTOR_SECRETS,
} from "../keys/prefixes.ts";
import { add, onDriver, onExecutor, withSpec, type SparkPod } from "../spark-pod.ts";
import { secretEnv } from "../steps/env-secrets.ts";
import { bundlePlaces, filledEntries } from "./bundle-places.ts";
import type { Dependency, PlacedDependency } from "./dependency-set.ts";
import {
  BUNDLE_SECRET,
  LOCALIZER_CREDENTIALS_MOUNT,
  LOCALIZER_SECRET_MOUNT,
  STAGING_CA,
  type StagedBundle,
} from "./localizer-config.ts";
import {
  LOCALIZER_CORES,
  LOCALIZER_CREDENTIALS_SECRET,
  LOCALIZER_DIRECTORY,
  LOCALIZER_IMAGE,
  LOCALIZER_IMAGE_PULL_POLICY,
  LOCALIZER_KEYS,
  LOCALIZER_MEMORY,
} from "./localizer-keys.ts";
import { SPARK_FILES_OVERRIDDEN, withFilesOfThePod } from "./spark-files.ts";
import { DEPENDENCIES_VOLUME, inWorkDirectory } from "./work-directory.ts";

const PASSED_ON = [
  DRIVER_ENV,
  DRIVER_SECRET_KEY_REF,
  DRIVER_SECRETS,
  EXECUTOR_ENV,
  EXECUTOR_SECRET_KEY_REF,
  EXECUTOR_SECRETS,
];
/** The keys that the step reads. */
export const LOCALIZED_KEYS: NonNullable<Step["keys"]> = [...LOCALIZER_KEYS, ...PASSED_ON];
const CONTAINER = "spark-localizer";
const SECRET_VOLUME = "spark-localizer-secret";
const CREDENTIALS_VOLUME = "spark-localizer-credentials";

/** What {@link stagedDependencies} needs. */
export interface LocalizedDependencies {
  readonly dependencies: readonly Dependency[];
  /** The bundle with the files of the submitter's disk; `undefined` if all dependencies are remote. */
  readonly bundle: StagedBundle | undefined;
  /** The Secret that the localizers of this submission read. */
  readonly secretName: string;
}

/** What a pod needs to mount them, without their sources and without the secret of the bundle. */
export interface MountedDependencies {
  readonly dependencies: readonly PlacedDependency[];
  readonly secretName: string;
  /** The entries of the Secret that the localizer needs besides its configuration. */
  readonly secretEntries: readonly string[];
}

/** The same without the secret of the bundle. */
export function mountedDependencies({ dependencies, bundle, secretName }: LocalizedDependencies): MountedDependencies {
  return {
    dependencies,
    secretName,
    secretEntries: [
      ...(bundle === undefined ? [] : [BUNDLE_SECRET]),
      ...(bundle?.ca === undefined ? [] : [STAGING_CA]),
    ],
  };
}

/**
 * Brings dependencies into driver and executor pods by an init container, before Spark starts. The secret of the bundle is
 * mounted only into that container. The Secret is created before the pods that mount it.
 */
export function stagedDependencies(localized: LocalizedDependencies): Step {
  const { dependencies, bundle, secretName } = localized;
  const mounted = mountedDependencies(localized);
  return {
    name: "staged-dependencies",
    keys: LOCALIZED_KEYS,
    overrides: SPARK_FILES_OVERRIDDEN,
    configureDriver(spec, submission) {
      const { conf } = submission;
      const secret: Secret = {
        apiVersion: "v1",
        kind: "Secret",
        metadata: {
          name: secretName,
          namespace: submission.namespace,
          labels: { [SPARK_APP_ID_LABEL]: submission.appId },
        },
        type: "Opaque",
        data: filledEntries(bundlePlaces(conf, dependencies, secretName), bundle),
      };
      const changed = onDriver(spec, (sparkPod) => withLocalizer(sparkPod, conf, mounted, "driver"));
      const named = withFilesOfThePod(changed, conf, dependencies);
      return { ...named, preKubernetesResources: [...named.preKubernetesResources, secret] };
    },
    configureExecutor: localizerOfExecutors(mounted),
  };
}

/** The executor half of the step. */
export function localizerOfExecutors(mounted: MountedDependencies): NonNullable<Step["configureExecutor"]> {
  const needed = mounted.dependencies.some(({ kind }) => kind !== "application");
  return (spec, { conf }) =>
    needed ? onExecutor(spec, (sparkPod) => withLocalizer(sparkPod, conf, mounted, "executor")) : spec;
}

type Role = "driver" | "executor";

function withLocalizer(sparkPod: SparkPod, conf: SparkConf, mounted: MountedDependencies, role: Role): SparkPod {
  const directory = conf.get(LOCALIZER_DIRECTORY);
  const credentials = conf.get(LOCALIZER_CREDENTIALS_SECRET);
  const items = [`${role}.json`, ...mounted.secretEntries];
  const withVolumes = add(sparkPod, {
    volumes: [
      { name: DEPENDENCIES_VOLUME, emptyDir: {} },
      {
        name: SECRET_VOLUME,
        secret: { secretName: mounted.secretName, items: items.map((key) => ({ key, path: key })) },
      },
      ...(credentials === undefined ? [] : [{ name: CREDENTIALS_VOLUME, secret: { secretName: credentials } }]),
    ],
    volumeMounts: [{ name: DEPENDENCIES_VOLUME, mountPath: directory }],
  });
  const { pod, container } = inWorkDirectory(withVolumes, conf, mounted.dependencies, role);
  const initContainers = [...(pod.spec?.initContainers ?? []), localizer(conf, role)];
  return { pod: withSpec(pod, { initContainers }), container };
}

/** The init container: with the few rights that a restricted namespace allows, and the user's own environment and Secrets. */
function localizer(conf: SparkConf, role: Role): Container {
  const image = conf.get(LOCALIZER_IMAGE);
  if (image === undefined) {
    throw new KindlingError("CONF_MISSING", `${LOCALIZER_IMAGE.key} is not set`, {
      hint: "name the image of the localizer, which brings dependencies into the pods",
    });
  }
  const memory = `${conf.get(LOCALIZER_MEMORY)}Mi`;
  const cores = conf.get(LOCALIZER_CORES);
  const mounts: VolumeMount[] = [
    { name: DEPENDENCIES_VOLUME, mountPath: conf.get(LOCALIZER_DIRECTORY) },
    { name: SECRET_VOLUME, mountPath: LOCALIZER_SECRET_MOUNT, readOnly: true },
  ];
  if (conf.get(LOCALIZER_CREDENTIALS_SECRET) !== undefined) {
    mounts.push({ name: CREDENTIALS_VOLUME, mountPath: LOCALIZER_CREDENTIALS_MOUNT, readOnly: true });
  }
  const secrets = conf.withPrefix(role === "driver" ? DRIVER_SECRETS : EXECUTOR_SECRETS);
  for (const [name, mountPath] of Object.entries(secrets)) mounts.push({ name: `${name}-volume`, mountPath });
  return {
    name: CONTAINER,
    image,
    imagePullPolicy: conf.get(LOCALIZER_IMAGE_PULL_POLICY),
    args: [`${LOCALIZER_SECRET_MOUNT}/${role}.json`],
    env: environment(conf, role),
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { cpu: cores, memory } },
    volumeMounts: mounts,
    terminationMessagePolicy: "FallbackToLogsOnError",
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      seccompProfile: { type: "RuntimeDefault" },
    },
  };
}

function environment(conf: SparkConf, role: Role): EnvVar[] {
  const plain = conf.withPrefix(role === "driver" ? DRIVER_ENV : EXECUTOR_ENV);
  return [
    ...Object.entries(plain).map(([name, value]) => ({ name, value })),
    ...secretEnv(conf, role === "driver" ? DRIVER_SECRET_KEY_REF : EXECUTOR_SECRET_KEY_REF),
  ];
}
