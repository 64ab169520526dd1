import type { JsonObject } from "@kindling/test-kit/json";
import { realpathSync } from "node:fs";
import { eventually } from "@kindling/test-kit/eventually";
import { DevCluster, type ImageSource, ProcessRuntime, type ProcessRuntimeOptions } from "../../../src/index.ts";
import type { Container, ContainerStatus, Pod, PodSpec } from "../../../src/objects/pod.ts";

/** Where the image has Node. */
export const NODE = "/opt/node";

/** An image with the machine's own programs and Node. */
export const shellImages: ImageSource = {
  resolve: async (reference) =>
    await Promise.resolve(
      reference.startsWith("shell")
        ? {
            id: "shell@1",
            mounts: [{ source: realpathSync(process.execPath), target: NODE }],
            files: [{ path: "/opt/motto", content: "from the image", mode: 0o644 }],
            entrypoint: ["/bin/sh", "-c"],
            command: ["echo nothing to do"],
            environment: { FROM_IMAGE: "yes" },
            workingDirectory: "/opt/work",
            user: { uid: 185, gid: 0 },
          }
        : undefined,
    ),
};

const PATIENCE = { timeout: 25_000, interval: 10 };

/** A cluster with processes as pods, and helpers for tests. */
export class ShellCluster {
  readonly cluster: DevCluster;
  #count = 0;

  private constructor(cluster: DevCluster) {
    this.cluster = cluster;
  }

  static async start(options: Partial<ProcessRuntimeOptions> = {}): Promise<ShellCluster> {
    return new ShellCluster(
      await DevCluster.start({ runtime: new ProcessRuntime({ images: [shellImages], ...options }) }),
    );
  }

  async stop(): Promise<void> {
    await this.cluster.stop();
  }

  async request(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body), headers: JSON_TYPE };
    const response = await fetch(`${this.cluster.url}${path}`, init);
    return { status: response.status, text: await response.text() };
  }

  /** Creates an object of the default namespace. */
  async create(resource: string, object: JsonObject): Promise<JsonObject> {
    const { status, text } = await this.request("POST", `/api/v1/namespaces/default/${resource}`, object);
    if (status !== 201) throw new Error(`${status}: ${text}`);
    return JSON.parse(text) as JsonObject;
  }

  /** Creates a pod with one container that runs a shell script. */
  async script(text: string, container: Partial<Container> = {}, spec: Partial<PodSpec> = {}): Promise<string> {
    return await this.pod({ ...spec, containers: [{ args: [text], ...container } as Container] });
  }

  /** Creates a pod; its containers may be incomplete. */
  async pod(spec: Partial<PodSpec>, metadata: JsonObject = {}): Promise<string> {
    this.#count += 1;
    const name = `pod-${this.#count}`;
    const filled = (containers: PodSpec["containers"] | undefined, prefix: string): Container[] | undefined =>
      containers?.map((one, index) => ({ ...one, name: one.name ?? `${prefix}${index}`, image: one.image ?? "shell" }));
    const { containers, initContainers, ...rest } = spec;
    const all = { containers: filled(containers, "main"), initContainers: filled(initContainers, "init") };
    const whole = { restartPolicy: "Never", terminationGracePeriodSeconds: 1, ...rest, ...all };
    await this.create("pods", { metadata: { name, ...metadata }, spec: whole });
    return name;
  }

  async get(name: string): Promise<Pod | undefined> {
    const { status, text } = await this.request("GET", `/api/v1/namespaces/default/pods/${name}`);
    return status === 404 ? undefined : (JSON.parse(text) as Pod);
  }

  /** Waits until a pod has the wanted state. */
  async until(name: string, wanted: (pod: Pod) => boolean, what: string): Promise<Pod> {
    return await eventually(async () => {
      const pod = await this.get(name);
      if (pod !== undefined && wanted(pod)) return pod;
      const events = await this.request("GET", "/api/v1/namespaces/default/events");
      const messages = [...events.text.matchAll(/"message":"(.*?)","source/g)].map(([, message]) => message);
      throw new Error(`waited for ${what}: ${JSON.stringify(pod?.status)}\n${messages.join("\n")}`);
    }, PATIENCE);
  }

  /** Waits until a pod has ended. */
  async finished(name: string): Promise<Pod> {
    const isOver = ({ status }: Pod): boolean => status.phase === "Succeeded" || status.phase === "Failed";
    return await this.until(name, isOver, `the end of ${name}`);
  }

  async running(name: string): Promise<Pod> {
    return await this.until(name, ({ status }) => status.phase === "Running", `${name} to run`);
  }

  async log(name: string, query: string = ""): Promise<string> {
    const { status, text } = await this.request("GET", `/api/v1/namespaces/default/pods/${name}/log${query}`);
    if (status !== 200) throw new Error(`${status}: ${text}`);
    return text;
  }

  /** Waits until a pod's log has a text. */
  async logged(name: string, wanted: string): Promise<string> {
    return await eventually(async () => {
      const { text } = await this.request("GET", `/api/v1/namespaces/default/pods/${name}/log`);
      if (text.includes(wanted)) return text;
      throw new Error(`waited for ${JSON.stringify(wanted)} in ${JSON.stringify(text)}`);
    }, PATIENCE);
  }

  /** Runs a script to its end and returns its output. */
  async output(text: string, container: Partial<Container> = {}, spec: Partial<PodSpec> = {}): Promise<string> {
    const name = await this.script(text, container, spec);
    await this.finished(name);
    return await this.log(name);
  }

  async delete(name: string): Promise<void> {
    await this.request("DELETE", `/api/v1/namespaces/default/pods/${name}`);
  }

  /** Deletes a pod and waits until it is gone. */
  async deleted(name: string): Promise<void> {
    await this.delete(name);
    await eventually(async () => {
      if ((await this.get(name)) !== undefined) throw new Error(`${name} is still there`);
    }, PATIENCE);
  }
}

const JSON_TYPE = { "Content-Type": "application/json" };

/** The status of a pod's first container. */
export function firstStatus({ status }: Pod): ContainerStatus {
  const first = status.containerStatuses?.[0];
  if (first === undefined) throw new Error(`no container has a status: ${JSON.stringify(status)}`);
  return first;
}
