import { messageOf, type Service } from "@kindling/core-spec";
import {
  createWorkQueue,
  isConflict,
  isNotFound,
  perKeyBackoff,
  type KubeClient,
  type KubeObject,
} from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { applicationIdOf } from "@kindling/submit";
import { applyOwned } from "../act/apply-owned.ts";
import { withDefaults } from "../api/v1beta2/defaults.ts";
import type { SparkApplication } from "../api/v1beta2/spark-application.ts";
import type { DriverInfo } from "../api/v1beta2/status.ts";
import type { OperatorSettings } from "../flags/operator-settings.ts";
import type { OwnedObject } from "../resources/owned-object.ts";
import { surroundings, type Surroundings } from "../resources/surroundings.ts";
import { webUiOf } from "../resources/ui-service.ts";
import { recordKey } from "../watch/record-store.ts";

/**
 * Keeps what stands beside the driver of an application: services, ingresses, a budget against eviction. It works by
 * itself, behind the states of applications, which never wait for it.
 */
export interface Surrounder {
  /**
   * Has made what is to be there while a driver runs. What cannot be made is logged and tried again.
   *
   * @returns what the status is to tell of it, as far as it is known
   */
  ensure(application: SparkApplication): DriverInfo;
  /** Has taken away what is not to be there after the end. */
  clean(application: SparkApplication): void;
  /** What was made has to be looked at again. */
  forget(uid: string): void;
  stop(): Promise<void>;
}

export interface SurrounderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly settings: OperatorSettings;
  readonly log: Log;
  /** Told of applications of which more is known now. */
  readonly onKnown: (key: string) => void;
}

/** What was done for which submission. */
interface Done {
  readonly submissionId: string;
  readonly what: "made" | "cleaned";
  readonly driverInfo: DriverInfo;
}

/** So many applications are seen to at a time: submissions and states need the API server more. */
const WORKERS = 6;
const LONGEST_BACKOFF_MS = 60_000;

export function createSurrounder({ client, clock, settings, log, onKnown }: SurrounderOptions): Surrounder {
  const done = new Map<string, Done>();
  const wanted = new Map<string, { readonly application: SparkApplication; readonly what: Done["what"] }>();
  const queue = createWorkQueue<string>({ clock, rateLimiter: perKeyBackoff(100, LONGEST_BACKOFF_MS) });

  function want(application: SparkApplication, what: Done["what"]): DriverInfo {
    const { uid } = application.metadata;
    const known = done.get(uid);
    if (known?.submissionId === submissionOf(application) && known.what === what) return known.driverInfo;
    wanted.set(uid, { application, what });
    queue.add(uid);
    return {};
  }

  function around(application: SparkApplication): Surroundings | undefined {
    const submissionId = submissionOf(application);
    try {
      // What stock submitted has an id that was drawn.
      const sparkApplicationId = application.status.sparkApplicationId ?? applicationIdOf(submissionId);
      return surroundings(withDefaults(application), { settings, submissionId, sparkApplicationId });
    } catch {
      // What cannot be surrounded was not submitted here either.
      return undefined;
    }
  }

  async function make({ objects, driverInfo }: Surroundings): Promise<DriverInfo> {
    let told: DriverInfo = driverInfo;
    for (const owned of objects.filter(({ when }) => when === "beside-driver")) {
      const object = await named(owned.failure, applyOwned(client, owned.object));
      if (isService(object) && object.metadata.name === driverInfo.webUIServiceName)
        told = { ...told, ...webUiOf(object) };
    }
    return told;
  }

  async function clean({ objects }: Surroundings, uid: string): Promise<DriverInfo> {
    for (const { object } of objects.filter(({ atEnd }) => atEnd === "deleted")) await remove(client, object, uid);
    return {};
  }

  async function see(uid: string): Promise<void> {
    const task = wanted.get(uid);
    if (task === undefined) return;
    const { application, what } = task;
    const found = around(application);
    const none = application.status.driverInfo;
    const driverInfo = found === undefined ? none : await (what === "made" ? make(found) : clean(found, uid));
    if (wanted.get(uid) !== task) return;
    wanted.delete(uid);
    done.set(uid, { submissionId: submissionOf(application), what, driverInfo });
    if (what === "made") onKnown(recordKey(application.metadata));
  }

  async function work(): Promise<void> {
    for (let uid = await queue.get(); uid !== undefined; uid = await queue.get()) {
      try {
        await see(uid);
        queue.forget(uid);
      } catch (error) {
        const { metadata } = wanted.get(uid)?.application ?? {};
        const application = metadata === undefined ? uid : recordKey(metadata);
        log.warn("what stands around an application cannot be made", { application, error: messageOf(error) });
        queue.addRateLimited(uid);
      } finally {
        queue.done(uid);
      }
    }
  }

  const running = Array.from({ length: WORKERS }, work);
  return {
    ensure: (application) => want(application, "made"),
    clean: (application) => void want(application, "cleaned"),
    forget(uid) {
      done.delete(uid);
      wanted.delete(uid);
    },
    async stop() {
      queue.shutDown();
      await Promise.all(running);
    },
  };
}

function submissionOf({ status }: SparkApplication): string {
  return status.submissionID ?? "";
}

/** Takes an object away, if it belongs to the application. */
async function remove(
  client: KubeClient,
  { apiVersion = "", kind = "", metadata = {} }: KubeObject,
  uid: string,
): Promise<void> {
  const { name = "", namespace } = metadata;
  try {
    const type = await client.resourceFor(apiVersion, kind);
    const found = await client.get(type, name, { namespace });
    if (found.metadata?.ownerReferences?.some((owner) => owner.uid === uid) !== true) return;
    await client.delete(type, name, { namespace, preconditions: { uid: found.metadata.uid } });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

function isService(object: OwnedObject["object"]): object is Service {
  return object.kind === "Service";
}

/** Puts what stock begins with before an error. */
async function named<T>(failure: string, making: Promise<T>): Promise<T> {
  try {
    return await making;
  } catch (cause) {
    throw new Error(`${failure}: ${messageOf(cause)}`, { cause });
  }
}
