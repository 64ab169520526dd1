import { KindlingError, quotedName } from "@kindling/core-spec";
import {
  API_VERSION,
  customResources,
  OPERATOR_LABELS,
  type ScheduledSparkApplicationSpec,
} from "@kindling/spark-application";
import { APPLICATIONS, SCHEDULES } from "./operated-kind.ts";
import type { OperatedObject } from "./operated-object.ts";
import type { Manifest } from "./parse-manifests.ts";
import { fieldsOf, type Unread } from "./untrusted.ts";

// RFC 1035's labels, as the operator requires: names of pods and services begin with this name.
const NAME = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/** What the command line says about the objects. */
export interface Wishes {
  /** The value of `-n`: the only namespace that an object may name. */
  readonly namespace: string | undefined;
  /** The value of `--name`, instead of the object's own name. */
  readonly name: string | undefined;
}

/**
 * The object of a manifest, ready to be created. The API server checks its spec.
 *
 * @throws KindlingError `FILE_UNPARSABLE` for another kind or a missing name, `CONF_CONFLICT` for another namespace
 */
export function objectToCreate({ origin, fields }: Manifest, { namespace, name }: Wishes): OperatedObject {
  checkKind(origin, fields);
  const metadata = fieldsOf(fields["metadata"]);
  const own = metadata["name"];
  const called = name ?? own;
  if (called === undefined && typeof metadata["generateName"] !== "string") {
    throw new KindlingError("FILE_UNPARSABLE", `${origin}: the object has no metadata.name`, {
      hint: "write one, or give it with --name",
    });
  }
  if (called !== undefined && (typeof called !== "string" || !NAME.test(called))) throw noName(origin, String(called));
  const place = metadata["namespace"];
  if (namespace !== undefined && place !== undefined && place !== namespace) {
    throw new KindlingError("CONF_CONFLICT", `${origin}: the object is for namespace ${quotedName(String(place))}`, {
      hint: `leave -n ${namespace} out, or the namespace in the file`,
    });
  }
  // These fields belong to the object that was read, not to the one that is created.
  const { uid: _, resourceVersion: __, ...kept } = metadata;
  return { ...fields, metadata: { ...kept, ...(called !== undefined && { name: called }) } };
}

function checkKind(origin: string, { kind, apiVersion }: Readonly<Record<string, unknown>>): void {
  const kinds = [APPLICATIONS.type.kind, SCHEDULES.type.kind];
  if (typeof kind !== "string" || !kinds.includes(kind)) {
    const what = typeof kind === "string" ? `is a ${quotedName(kind)}` : "has no kind";
    throw new KindlingError("FILE_UNPARSABLE", `${origin}: the object ${what}, and no ${kinds.join(" or ")}`, {
      hint: "kubectl create -f takes files with other kinds in them",
    });
  }
  if (apiVersion === API_VERSION) return;
  const group = typeof apiVersion === "string" ? apiVersion.split("/")[0] : undefined;
  throw new KindlingError(
    "FILE_UNPARSABLE",
    `${origin}: apiVersion ${apiVersion === undefined ? "is not there" : quotedName(String(apiVersion))}; it must be ${API_VERSION}`,
    {
      hint:
        group === customResources.sparkApplications.group
          ? "the operator knows no other version"
          : `write apiVersion: ${API_VERSION}`,
    },
  );
}

function noName(where: string, name: string): KindlingError {
  return new KindlingError("ARGUMENT_INVALID", `${where}: ${quotedName(name)} cannot be an application's name`, {
    hint: "up to 63 small letters, digits and dashes, beginning with a letter",
  });
}

/**
 * A run of a schedule, as the operator creates it at the scheduled time (v2.5.2,
 * internal/controller/scheduledsparkapplication/controller.go, createSparkApplication): with the schedule's labels, and
 * deleted together with it. It counts in the schedule's history.
 *
 * @param name default: the schedule's name and the time, in milliseconds
 * @param now milliseconds since the epoch
 * @throws KindlingError `ARGUMENT_INVALID` for an invalid name
 */
export function runOfSchedule(schedule: OperatedObject, name: string | undefined, now: number): OperatedObject {
  const { name: parent = "", namespace, uid = "", labels } = schedule.metadata ?? {};
  const called = name ?? `${parent}-${now}`;
  const wanted: Unread<ScheduledSparkApplicationSpec> = fieldsOf(schedule.spec);
  if (!NAME.test(called)) throw noName(name === undefined ? "the run's name" : "--name", called);
  return {
    apiVersion: API_VERSION,
    kind: APPLICATIONS.type.kind,
    metadata: {
      name: called,
      namespace,
      labels: { ...labels, [OPERATOR_LABELS.scheduledAppName]: parent },
      ownerReferences: [{ apiVersion: API_VERSION, kind: SCHEDULES.type.kind, name: parent, uid }],
    },
    spec: wanted.template,
  };
}
