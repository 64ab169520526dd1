import {
  createRedactor,
  KindlingError,
  messageOf,
  REDACTED,
  type Container,
  type Pod,
  type Step,
  SPARK_CONNECT_PORT,
} from "@kindling/core-spec";
import { type KubeClient, resources } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import {
  cachedInstallations,
  cachedNamespaceLabels,
  type FindInstallation,
  type FindNamespaceLabels,
  submit,
} from "@kindling/submit";
import { GrpcError } from "../grpc/grpc-status.ts";
import type { ContainerEngine, Profile, SparkEngine } from "../profiles/profile.ts";
import { connectStep } from "./connect-step.ts";
import {
  KEY_LABEL,
  PORT_ANNOTATION,
  PROFILE_LABEL,
  SERVICE_LABEL,
  USER_ANNOTATION,
  USER_LABEL,
} from "./driver-record.ts";
import { driverToken } from "./driver-token.ts";
import { userKey } from "./session-key.ts";

/** A driver to make; without an owner it waits for a session. */
export interface WantedDriver {
  readonly profile: Profile;
  readonly queue: string | undefined;
  readonly owner: DriverOwner | undefined;
}

export interface DriverOwner {
  readonly key: string;
  /** Undefined for a driver that all users share. */
  readonly user: string | undefined;
}

export interface MakeDriverOptions {
  readonly client: KubeClient;
  /** The name of this service, which its drivers have as a label. */
  readonly service: string;
  readonly outside: Outside;
  /** Contributed steps that run for every driver. */
  readonly steps: readonly Step[];
  /** Configuration that each driver starts with; what a profile says wins. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Makes the tokens of drivers; without it, drivers ask for none. */
  readonly tokenKey: Buffer | undefined;
}

const CONNECT_SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer";

/** Makes driver pods. */
export class DriverMaker {
  readonly #options: MakeDriverOptions;
  readonly #installations: FindInstallation;
  readonly #namespaceLabels: FindNamespaceLabels;

  constructor(options: MakeDriverOptions) {
    this.#options = options;
    const { clock } = options.outside;
    this.#installations = cachedInstallations({ clock });
    this.#namespaceLabels = cachedNamespaceLabels({ clock });
  }

  /** What a driver wants as the bearer token. */
  tokenOf(namespace: string, pod: string): string | undefined {
    const { tokenKey } = this.#options;
    return tokenKey && driverToken(tokenKey, namespace, pod);
  }

  /**
   * Creates a driver. It is not ready when the result resolves.
   *
   * @returns the name of its pod
   * @throws GrpcError `FAILED_PRECONDITION` for a profile or a cluster that does not allow it
   */
  async make(wanted: WantedDriver): Promise<string> {
    const { profile } = wanted;
    const id = Buffer.from(this.#options.outside.random.bytes(4)).toString("hex");
    const pod = `connect-${profile.name}-${id}`;
    try {
      if (profile.engine.kind === "spark") await this.#submit(pod, wanted, profile.engine);
      else await this.#create(pod, wanted, profile.engine);
      return pod;
    } catch (cause) {
      throw new GrpcError(
        "FAILED_PRECONDITION",
        `no driver of profile ${profile.name} can be made: ${messageOf(cause)}`,
        {
          cause,
        },
      );
    }
  }

  #labelsOf({ profile, owner }: WantedDriver): Readonly<Record<string, string>> {
    return {
      [SERVICE_LABEL]: this.#options.service,
      [PROFILE_LABEL]: profile.name,
      ...(owner !== undefined && ownerLabels(owner)),
    };
  }

  async #submit(pod: string, wanted: WantedDriver, { sparkVersion, conf }: SparkEngine): Promise<void> {
    const { client, outside, steps, defaults } = this.#options;
    const { profile, queue } = wanted;
    const token = this.tokenOf(profile.namespace, pod);
    await submit(
      {
        application: { resource: "spark-internal", mainClass: CONNECT_SERVER },
        name: `connect ${profile.name}`,
        namespace: profile.namespace,
        resourceNamePrefix: pod,
        ...(sparkVersion !== undefined && { sparkVersion }),
        steps: token === undefined ? steps : [...steps, connectStep(token)],
        conf: {
          ...defaults,
          ...conf,
          "spark.kindling.submit.server": "true",
          "spark.kubernetes.driver.pod.name": pod,
          "spark.connect.grpc.binding.address": "0.0.0.0",
          "spark.connect.grpc.binding.port": String(SPARK_CONNECT_PORT),
          ...(queue !== undefined && { "spark.kindling.scheduler.queue": queue }),
          ...prefixed("spark.kubernetes.driver.label.", this.#labelsOf(wanted)),
          ...prefixed("spark.kubernetes.driver.annotation.", annotationsOf(wanted, SPARK_CONNECT_PORT)),
        },
      },
      {
        ...{ access: "nothing", client, wait: false, outside, secrets: createRedactor(REDACTED) },
        ...{ installations: this.#installations, namespaceLabels: this.#namespaceLabels },
        approve({ objects }) {
          const other = [objects.pod, ...objects.preResources, ...objects.resources].find(
            ({ metadata }) => metadata?.namespace !== profile.namespace,
          );
          if (other === undefined) return;
          throw new KindlingError(
            "ACCESS_DENIED",
            `${other.metadata?.name ?? ""} would be made outside of namespace ${profile.namespace}`,
          );
        },
      },
    );
  }

  async #create(name: string, wanted: WantedDriver, engine: ContainerEngine): Promise<void> {
    const { namespace } = wanted.profile;
    const pod: Pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace, labels: this.#labelsOf(wanted), annotations: annotationsOf(wanted, engine.port) },
      spec: {
        restartPolicy: "Never",
        automountServiceAccountToken: false,
        containers: [containerOf(engine)],
      },
    };
    await this.#options.client.create(resources.pods, pod, { namespace });
  }
}

function containerOf({ image, command, port, env, cpu, memory }: ContainerEngine): Container {
  const amounts = { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
  return {
    name: "server",
    image,
    command: [...command],
    ports: [{ name: "spark-connect", containerPort: port }],
    env: Object.entries(env).map(([variable, value]) => ({ name: variable, value })),
    resources: { requests: amounts, limits: memory === undefined ? {} : { memory } },
    securityContext: { allowPrivilegeEscalation: false },
  };
}

/** The labels of a driver that belongs to sessions. */
export function ownerLabels({ key, user }: DriverOwner): Readonly<Record<string, string>> {
  return { [KEY_LABEL]: key, ...(user !== undefined && { [USER_LABEL]: userKey(user) }) };
}

/** The annotations of a driver that belongs to sessions. */
export function ownerAnnotations({ user }: DriverOwner): Readonly<Record<string, string>> {
  return user === undefined ? {} : { [USER_ANNOTATION]: user };
}

function annotationsOf({ owner }: WantedDriver, port: number): Readonly<Record<string, string>> {
  return { [PORT_ANNOTATION]: String(port), ...(owner !== undefined && ownerAnnotations(owner)) };
}

function prefixed(prefix: string, entries: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [`${prefix}${name}`, value]));
}
