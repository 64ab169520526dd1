import { type KubeObjectLike, isConflict, isNotFound, type KubeClient } from "@kindling/kube";
import { done, keyOf, type Term } from "@kindling/controller";
import { messageOf, type Service } from "@kindling/core-spec";
import type { Log } from "@kindling/service";
import { applicationIdOf } from "@kindling/submit";
import { applyOwned } from "../../resources/apply-owned.ts";
import type { DriverInfo, SparkApplication } from "@kindling/spark-application";
import { withDefaults } from "@kindling/spark-application/read";
import type { OperatorSettings } from "../../flags/operator-settings.ts";
import type { OwnedObject } from "../../resources/owned-object.ts";
import { applicationObjects, type ApplicationObjects } from "../../resources/application-objects.ts";
import { webUiOf } from "../../resources/ui-service.ts";

/**
 * Keeps the objects beside an application's driver: services, ingresses, a PodDisruptionBudget. It works on its own. The
 * states of applications never wait for it.
 */
export interface DriverObjects {
  /**
   * Makes the objects that must exist while a driver runs. A failure is logged and tried again.
   *
   * @returns the part of the status about these objects, as far as it is known
   */
  ensure(application: SparkApplication): DriverInfo;
  /** Deletes the objects that must not exist after the end of a run. */
  clean(application: SparkApplication): void;
  /** The objects that were made have to be checked again. */
  forget(uid: string): void;
}

export interface DriverObjectsOptions {
  readonly settings: OperatorSettings;
  readonly log: Log;
  /** Called for an application when more is known about its objects. */
  readonly onKnown: (key: string) => void;
}

type What = "made" | "cleaned";

/** What was done for which submission. */
interface Done {
  readonly submissionId: string;
  readonly what: What;
  readonly driverInfo: DriverInfo;
}

interface Task {
  readonly application: SparkApplication;
  readonly what: What;
}

/** How many applications are worked on at a time. They are few, because submissions and states need the API server more. */
const WORKERS = 6;
const BACK_OFF = { baseMs: 100, capMs: 60_000 };

export function runDriverObjects(term: Term, { settings, log, onKnown }: DriverObjectsOptions): DriverObjects {
  const { client } = term;
  /** By the uids of applications. */
  const known = new Map<string, Done>();
  /** By the keys of applications. */
  const wanted = new Map<string, Task>();

  function want(application: SparkApplication, what: What): DriverInfo {
    const { metadata } = application;
    const found = known.get(metadata.uid);
    if (found?.submissionId === submissionOf(application) && found.what === what) return found.driverInfo;
    wanted.set(keyOf(metadata), { application, what });
    running.add(keyOf(metadata));
    return {};
  }

  async function carryOut({ application, what }: Task): Promise<DriverInfo> {
    const found = objectsFor(settings, application);
    if (found === undefined) return application.status.driverInfo;
    return await (what === "made" ? make(client, found) : clean(client, found, application.metadata.uid));
  }

  const running = term.run(
    {
      name: "driver-objects",
      watches: [],
      workers: WORKERS,
      async reconcile(key) {
        const task = wanted.get(key);
        if (task === undefined) return done;
        const { application, what } = task;
        const driverInfo = await carryOut(task);
        if (wanted.get(key) !== task) return done;
        wanted.delete(key);
        known.set(application.metadata.uid, { submissionId: submissionOf(application), what, driverInfo });
        if (what === "made") onKnown(key);
        return done;
      },
    },
    {
      backOff: BACK_OFF,
      onFault: (key, error) =>
        log.warn("objects beside a driver cannot be made", { application: key, error: messageOf(error) }),
    },
  );
  return {
    ensure: (application) => want(application, "made"),
    clean: (application) => void want(application, "cleaned"),
    forget(uid) {
      known.delete(uid);
      for (const [key, { application }] of wanted) if (application.metadata.uid === uid) wanted.delete(key);
    },
  };
}

/** @returns undefined if they cannot be planned: then the application was not submitted here either */
function objectsFor(settings: OperatorSettings, application: SparkApplication): ApplicationObjects | undefined {
  const submissionId = submissionOf(application);
  try {
    // An application that stock submitted has a random id.
    const sparkApplicationId = application.status.sparkApplicationId ?? applicationIdOf(submissionId);
    return applicationObjects(withDefaults(application), { settings, submissionId, sparkApplicationId });
  } catch {
    return undefined;
  }
}

async function make(client: KubeClient, { objects, driverInfo }: ApplicationObjects): Promise<DriverInfo> {
  let told: DriverInfo = driverInfo;
  for (const owned of objects.filter(({ when }) => when === "beside-driver")) {
    const object = await named(owned.failure, applyOwned(client, owned.object));
    if (isService(object) && object.metadata.name === driverInfo.webUIServiceName)
      told = { ...told, ...webUiOf(object) };
  }
  return told;
}

async function clean(client: KubeClient, { objects }: ApplicationObjects, uid: string): Promise<DriverInfo> {
  for (const { object } of objects.filter(({ atEnd }) => atEnd === "deleted")) await remove(client, object, uid);
  return {};
}

function submissionOf({ status }: SparkApplication): string {
  return status.submissionID ?? "";
}

/** Deletes an object, if it belongs to the application. */
async function remove(
  client: KubeClient,
  { apiVersion = "", kind = "", metadata = {} }: KubeObjectLike,
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

/** Puts the beginning of stock's message before an error. */
async function named<T>(failure: string, making: Promise<T>): Promise<T> {
  try {
    return await making;
  } catch (cause) {
    throw new Error(`${failure}: ${messageOf(cause)}`, { cause });
  }
}
