import type { SparkConnectStatus } from "@kindling/spark-application";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod, Service } from "kubernetes-types/core/v1.js";
import { OperatedCluster } from "./operated-cluster.ts";

export const CONNECTS: string = "/apis/sparkoperator.k8s.io/v1alpha1/namespaces/spark-jobs/sparkconnects";
export const CORE: string = "/api/v1/namespaces/spark-jobs";
/** For a busy machine. */
export const SLOW: { readonly timeout: number } = { timeout: 60_000 };

interface Stored {
  readonly metadata: { readonly uid: string };
  readonly status?: SparkConnectStatus;
}

function manifest(spec: object = {}, annotations: Readonly<Record<string, string>> = {}): object {
  return {
    apiVersion: "sparkoperator.k8s.io/v1alpha1",
    kind: "SparkConnect",
    metadata: { name: "notebook", namespace: "spark-jobs", annotations, labels: { team: "etl" } },
    spec: { sparkVersion: "4.3.0", image: "apache/spark:4.3.0", server: {}, executor: { instances: 2 }, ...spec },
  };
}

/** A cluster with one SparkConnect. */
export class ConnectCluster {
  readonly operated: OperatedCluster;

  constructor(operated: OperatedCluster) {
    this.operated = operated;
  }

  static async start(): Promise<ConnectCluster> {
    return new ConnectCluster(await OperatedCluster.start());
  }

  async create(spec?: object, annotations?: Readonly<Record<string, string>>): Promise<void> {
    await this.operated.cluster.send("POST", CONNECTS, manifest(spec, annotations));
  }

  async change(change: object): Promise<void> {
    await this.operated.cluster.send("PATCH", `${CONNECTS}/notebook`, change);
  }

  async stored(): Promise<Stored> {
    return (await this.operated.cluster.send("GET", `${CONNECTS}/notebook`)) as Stored;
  }

  async inState(state: string): Promise<SparkConnectStatus> {
    return await eventually(async () => {
      const { status = {} } = await this.stored();
      if (status.state !== state)
        throw new Error(`it is ${status.state} (${status.conditions?.[0]?.message}), not ${state}`);
      return status;
    }, SLOW);
  }

  async pod(): Promise<Pod> {
    return await eventually(
      async () => (await this.operated.cluster.send("GET", `${CORE}/pods/notebook-server`)) as Pod,
    );
  }

  /** Waits until there is a pod of the server's name, with another uid. */
  async podAfter({ metadata }: Pod): Promise<Pod> {
    return await eventually(async () => {
      const pod = await this.pod();
      if (pod.metadata?.uid === metadata?.uid) throw new Error("it is the same pod");
      return pod;
    }, SLOW);
  }

  async noPod(): Promise<void> {
    await eventually(async () => {
      const pods = await this.operated.pods();
      if (pods.length > 0) throw new Error(`there are ${pods.length} pods`);
    }, SLOW);
  }

  async service(name = "notebook-server"): Promise<Service> {
    return await eventually(
      async () => (await this.operated.cluster.send("GET", `${CORE}/services/${name}`)) as Service,
    );
  }
}
