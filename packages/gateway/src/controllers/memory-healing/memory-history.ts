import {
  formatMemoryRuns,
  MEMORY_RUNS_ENTRY,
  memoryRunsName,
  type MemoryRun,
  parseMemoryRuns,
} from "@kindling/gateway-client";
import { isAlreadyExists, isConflict, isNotFound, type KubeClient } from "@kindling/kube";
import type { KubeObject } from "@kindling/kube-objects";
import { textAt } from "../../json/fields.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";

/** The runs of the applications of one name in one namespace. */
export interface HistoryPlace {
  readonly namespace: string;
  /** As in the label `spark-app-name`. */
  readonly name: string;
}

/** A driver waits for the answer, and gives up its own request after ten seconds. */
const TIMEOUT_MS = 3_000;
/** Two gateways, or two applications of one name, may write at the same time. */
const MOST_TRIES = 5;

/** Keeps what runs needed in ConfigMaps beside the applications, one for each name. */
export class MemoryHistory {
  readonly #client: KubeClient;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /** @throws KubeError if the cluster cannot be asked within three seconds */
  async read(place: HistoryPlace): Promise<readonly MemoryRun[]> {
    return runsIn(await this.#find(place, AbortSignal.timeout(TIMEOUT_MS)));
  }

  /** @throws KubeError if it cannot be written */
  async add(place: HistoryPlace, run: MemoryRun): Promise<void> {
    const { namespace, name } = place;
    for (let tries = 1; ; tries++) {
      const found = await this.#find(place);
      const data = { [MEMORY_RUNS_ENTRY]: formatMemoryRuns([...runsIn(found), run]) };
      try {
        if (found === undefined) {
          const metadata = { name: memoryRunsName(name), namespace, labels: LABELS };
          const object = { apiVersion: "v1", kind: "ConfigMap", metadata, data };
          await this.#client.create(UPSTREAM.configmaps, object, { namespace });
        } else {
          const { resourceVersion } = found.metadata;
          const body = { metadata: { resourceVersion }, data };
          await this.#client.patch(UPSTREAM.configmaps, memoryRunsName(name), "merge", body, { namespace });
        }
        return;
      } catch (error) {
        if (tries >= MOST_TRIES || !(isConflict(error) || isAlreadyExists(error))) throw error;
      }
    }
  }

  async #find({ namespace, name }: HistoryPlace, signal?: AbortSignal): Promise<KubeObject | undefined> {
    try {
      return await this.#client.get(UPSTREAM.configmaps, memoryRunsName(name), { namespace, signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

const LABELS = { "app.kubernetes.io/managed-by": "kindling-gateway" };

function runsIn(configMap: KubeObject | undefined): readonly MemoryRun[] {
  return parseMemoryRuns(textAt(configMap, "data", MEMORY_RUNS_ENTRY));
}
