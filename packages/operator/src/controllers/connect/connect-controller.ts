import { messageOf } from "@kindling/core-spec";
import { createEventRecorder, done, keyOf, type Term, watch, type Watch } from "@kindling/controller";
import type { Outside } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { connectKeyOf } from "../../caches/connect-caches.ts";
import type { OperatorCaches } from "../../caches/operator-caches.ts";
import { keysIn } from "../../caches/served-namespaces.ts";
import type { ActivityAsker } from "../../connect-activity/ask-server.ts";
import { rememberedActivity } from "../../connect-activity/remembered-activity.ts";
import { masterUrl } from "../../connect-server/server-arguments.ts";
import type { OperatorMetrics } from "../../metrics/operator-metrics.ts";
import type { OperatorAudit } from "../audit-operator.ts";
import { BACK_OFF } from "../back-off.ts";
import { type ConnectReconciler, reconcileConnect } from "./reconcile-connect.ts";
import { createServerObjects } from "./server-objects.ts";

export interface ConnectsOptions {
  readonly outside: Outside;
  readonly caches: OperatorCaches;
  readonly asker: ActivityAsker;
  readonly log: Log;
  readonly audit: OperatorAudit;
  readonly metrics: OperatorMetrics | undefined;
}

const WORKERS = 4;

/** Runs the servers of all SparkConnects that are served. */
export function runConnects(term: Term, { outside, caches, asker, log, audit, metrics }: ConnectsOptions): void {
  const { client } = term;
  const { clock, random, env } = outside;
  const { connect, namespaces } = caches;
  const now = (): number => clock.now();
  const events = createEventRecorder({ client, clock, random, log, component: "spark-connect-controller" });
  term.onEnd(() => events.flush());
  const objects = createServerObjects(client, masterUrl(env));
  const activity = rememberedActivity(asker, now);
  const notices = createToldNotices();
  const reconciler: ConnectReconciler = {
    ...{ client, objects, events, audit, log, now },
    caches: connect,
    connects: connect.connects,
    ask: activity.ask,
    untold: notices.untold,
  };
  const forget = (uid: string): void => [objects, notices].forEach((one) => one.forget(uid));
  term.run(
    {
      name: "connect",
      workers: WORKERS,
      watches: [
        watch(connect.connects, (record) => [keyOf(record)]),
        watch(connect.pods, (pod) => [connectKeyOf(pod)]),
        watch(connect.services, ({ ownerKey }) => [ownerKey]),
        namespaces.watch((namespace) => keysIn(connect.connects.values(), namespace)),
        goneConnects(caches, forget),
      ],
      async reconcile(key) {
        if (!namespaces.serves(key.slice(0, key.indexOf("/")))) return done;
        return await reconcileConnect(reconciler, key);
      },
    },
    {
      backOff: BACK_OFF,
      observer: metrics?.observeWork("sparkconnect", WORKERS),
      onFault: (key, error) =>
        log.warn("a Connect server could not be reconciled", { connect: key, error: messageOf(error) }),
    },
  );
}

/** Adds no keys: it makes others forget objects that are gone. */
function goneConnects({ connect }: OperatorCaches, forget: (uid: string) => void): Watch {
  return () =>
    connect.connects.subscribe({
      changed(change) {
        if (change.type === "added") return;
        const { uid } = change.previous;
        if (change.type === "deleted" || change.record.uid !== uid) forget(uid);
      },
    });
}

interface ToldNotices {
  /** The notices that differ from those that were told last. */
  untold(this: void, uid: string, notices: readonly string[]): readonly string[];
  forget(uid: string): void;
}

/** Each notice is told once, as long as it is true. */
function createToldNotices(): ToldNotices {
  const told = new Map<string, ReadonlySet<string>>();
  return {
    untold(uid, notices) {
      const before = told.get(uid);
      told.set(uid, new Set(notices));
      return notices.filter((notice) => before?.has(notice) !== true);
    },
    forget: (uid) => void told.delete(uid),
  };
}
