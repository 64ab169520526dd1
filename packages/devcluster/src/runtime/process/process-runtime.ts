import { mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { platform } from "node:process";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { PersistentVolume } from "../../objects/core.ts";
import {
  type ClusterView,
  type NodeCapacity,
  PodStartError,
  type Runtime,
  type Sandbox,
  type SandboxRequest,
  type ServiceNetwork,
} from "../runtime.ts";
import { thisMachine } from "./container/machine.ts";
import { MemoryWatch } from "./container/memory-watch.ts";
import { tryOut } from "./container/try-out.ts";
import { notLinux } from "./host/abilities.ts";
import { findTools } from "./host/tools.ts";
import { Images } from "./images.ts";
import { AddressRange, canListenLow } from "./network/address-range.ts";
import { HOST_ADDRESS, PodNetwork } from "./network/pod-network.ts";
import { type ProcessRuntimeOptions, type ResolvedProcessOptions, resolveProcessOptions } from "./options.ts";
import { ProcessSandbox, type SandboxContext } from "./process-sandbox.ts";
import { StateFolder, removeTree } from "./state/state-folder.ts";
import { PodVolumes } from "./volumes/pod-volumes.ts";

/** What exists between `open` and `close`. */
interface Opened {
  readonly state: StateFolder;
  readonly range: AddressRange;
  readonly network: PodNetwork;
  readonly context: SandboxContext;
}

/**
 * Runs containers as processes of this machine: on Linux, each in its own mount and process namespaces, as root or in a user
 * namespace. Pods share the machine's network and have their own loopback addresses. The processes die with the thread that
 * runs the cluster, no matter how it ends.
 */
export class ProcessRuntime implements Runtime {
  readonly name = "process";
  readonly version = "0.1.0";
  readonly capacity: NodeCapacity;
  readonly #options: ResolvedProcessOptions;
  readonly #sandboxes = new Set<ProcessSandbox>();
  #unfollow: () => void = () => undefined;
  #opened: Opened | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: ProcessRuntimeOptions) {
    this.#options = resolveProcessOptions(options);
    this.capacity = this.#options.capacity;
  }

  /** The folder of provisioned volumes. Known once the runtime is open. */
  get volumeFolder(): string | undefined {
    return this.#opened?.state.volumes;
  }

  async open(): Promise<ServiceNetwork> {
    if (platform !== "linux") throw notLinux(platform);
    const options = this.#options;
    for (const path of options.hostMounts) {
      if (statSync(path, { throwIfNoEntry: false }) !== undefined) continue;
      throw new KindlingError("FILE_UNREADABLE", `the host mount ${path} does not exist`);
    }
    const tools = findTools();
    const state = await StateFolder.open(options.stateFolder);
    let machine, range;
    try {
      machine = await tryOut(thisMachine(options.hostMounts, tools, state.pipes), state);
      range = await AddressRange.reserve(options.addresses);
    } catch (error) {
      await state.close();
      throw error;
    }
    const network = new PodNetwork(range, options.clock);
    const context = {
      options,
      machine,
      images: new Images(options.images, options.clock),
      memory: new MemoryWatch(options.clock),
    };
    this.#opened = { state, range, network, context };
    const lowPorts = await canListenLow(`${range.services}.0.1`);
    return { prefix: range.services, lowPorts, nodeAddress: HOST_ADDRESS };
  }

  attach(cluster: ClusterView): void {
    this.#open.network.attach(cluster);
    this.#unfollow = cluster.follow((resource, object) => {
      if (resource === "configmaps" || resource === "secrets") {
        for (const sandbox of this.#sandboxes) sandbox.refresh(resource, object);
      } else if (resource === "persistentvolumes" && cluster.get(resource, "", object.metadata.name) === undefined) {
        // If it cannot be removed now, it is removed with the state folder's content.
        removeProvisioned(object as PersistentVolume, this.#open.state.volumes).catch(() => undefined);
      }
    });
  }

  async startSandbox(request: SandboxRequest): Promise<Sandbox> {
    try {
      return await this.#startSandbox(request);
    } catch (error) {
      if (error instanceof PodStartError) throw error;
      throw new PodStartError("FailedCreatePodSandBox", `Failed to create pod sandbox: ${messageOf(error)}`);
    }
  }

  async close(): Promise<void> {
    this.#closed ??= this.#close();
    await this.#closed;
  }

  async #startSandbox({ pod, sources, signal, fail }: SandboxRequest): Promise<Sandbox> {
    const { state, network, context } = this.#open;
    const { clock, capacity } = this.#options;
    const [folder, memory] = [join(state.pods, pod.metadata.uid), join(state.memory, pod.metadata.uid)];
    for (const one of [folder, memory]) mkdirSync(one, { recursive: true, mode: 0o700 });
    const canChangeGroup = context.machine.mode === "root";
    const volumes = new PodVolumes({
      pod,
      sources,
      clock,
      capacity,
      folder: join(folder, "volumes"),
      memory: join(memory, "volumes"),
      canChangeGroup,
      fail,
    });
    volumes.make();
    const connection = await network.connect(pod, (text) => sandbox.writeHosts(text));
    const onRemoved = (): void => void this.#sandboxes.delete(sandbox);
    const sandbox = new ProcessSandbox(context, { pod, signal, folder, memory, volumes, connection, onRemoved });
    this.#sandboxes.add(sandbox);
    return sandbox;
  }

  get #open(): Opened {
    if (this.#opened === undefined) throw new Error("the runtime is not open");
    return this.#opened;
  }

  async #close(): Promise<void> {
    const opened = this.#opened;
    if (opened === undefined) return;
    this.#unfollow();
    await Promise.all([...this.#sandboxes].map(async (sandbox) => await sandbox.remove()));
    opened.context.memory.stop();
    await opened.network.close();
    await opened.range.release();
    await opened.state.close();
  }
}

/** Removes the content of a volume that was created here. */
async function removeProvisioned({ spec }: PersistentVolume, folder: string): Promise<void> {
  const path = spec.hostPath?.path;
  if (path !== undefined && dirname(path) === folder) await removeTree(path);
}
