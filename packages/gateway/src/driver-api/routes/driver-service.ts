import {
  ApiError,
  type Api,
  type Exchange,
  type Intercept,
  type ResourceTarget,
  type User,
} from "@kindling/api-server";
import type { Random } from "@kindling/outside";
import type { AuditLog } from "@kindling/service";
import type { Application } from "../../views/applications/application.ts";
import type { DriverConnections } from "../connections/driver-connections.ts";
import { type DriverAuthenticator, podUidOf } from "../identity/driver-authenticator.ts";
import { DriverBody } from "../memory/driver-body.ts";
import type { Metrics } from "../../console/metrics/metrics.ts";
import { observeRequests } from "../../console/metrics/observe-requests.ts";
import type { DriverService } from "../while-leading.ts";
import { DriverTurns } from "../turns/driver-turns.ts";
import { auditRequests } from "./audit-requests.ts";
import { createClaim } from "./create-claim.ts";
import { createConfigMap } from "./create-config-map.ts";
import { createExecutor } from "./create-executor.ts";
import { deleteCollection, deleteOne } from "./delete-objects.ts";
import { growClaim } from "./grow-claim.ts";
import type { DriverRequest } from "./driver-request.ts";
import { authorizeDriver } from "./driver-rights.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { patchPod } from "./patch-pod.ts";
import { answerPlainly } from "./plain-answers.ts";
import { readUsage } from "./read-usage.ts";
import { replayWhereHistoryEnds } from "./replay.ts";
import { resizeExecutor } from "./resize-executor.ts";
import { createSet, deleteSet, readScale, readSet, scaleSet } from "./sets.ts";

import { USAGE } from "../../views/driver-resources.ts";

type Route = (context: GatewayContext, request: DriverRequest) => Promise<void>;

/** Requests by resource and verb: writes, and requests about sets. All other reads are answered from the driver's view. */
const ROUTES: Readonly<Record<string, Route>> = {
  "pods create": createExecutor,
  "pods delete": deleteOne,
  "pods deletecollection": deleteCollection,
  "pods patch": patchPod,
  "pods/resize patch": resizeExecutor,
  "pods.metrics.k8s.io get": readUsage,
  "configmaps create": createConfigMap,
  "configmaps delete": deleteOne,
  "configmaps deletecollection": deleteCollection,
  "persistentvolumeclaims create": createClaim,
  "persistentvolumeclaims patch": growClaim,
  "persistentvolumeclaims delete": deleteOne,
  "persistentvolumeclaims deletecollection": deleteCollection,
  "services deletecollection": deleteCollection,
  "statefulsets create": createSet,
  "statefulsets get": readSet,
  "statefulsets delete": deleteSet,
  "statefulsets/scale get": readScale,
  "statefulsets/scale update": scaleSet,
  "deployments create": createSet,
  "deployments get": readSet,
  "deployments delete": deleteSet,
  "deployments/scale get": readScale,
  "deployments/scale update": scaleSet,
};

export interface DriverServiceOptions {
  readonly context: GatewayContext;
  readonly authenticator: DriverAuthenticator;
  readonly connections: Pick<DriverConnections, "watchBegan">;
  /** Serves discovery, which concerns no driver. */
  readonly anyView: Api;
  readonly metrics: Metrics;
  readonly auditLog: AuditLog;
  readonly random: Pick<Random, "uuid">;
}

/** What the gateway serves to drivers, and how it authenticates them. */
export function driverService(options: DriverServiceOptions): DriverService {
  const { context, authenticator, connections, anyView, metrics, auditLog, random } = options;
  const { applications, mostWatches } = context;
  const turns = new DriverTurns(context.clock);
  const observe = observeRequests(metrics);
  const audit = auditRequests({ auditLog, random, applicationOf: (uid) => applications.get(uid)?.id });
  const applicationOf = (user: User): Application => {
    const application = applications.get(podUidOf(user));
    if (application === undefined) throw new ApiError(403, "Forbidden", "Forbidden: the driver's pod has just gone");
    return application;
  };
  return {
    api: anyView,
    async arrived(exchange, target, verb) {
      return (await observe(exchange, target, verb)) || (await audit(exchange, target, verb));
    },
    async authenticate(exchange) {
      const { user, driver } = await authenticator.authenticate(exchange);
      applications.of(driver).talkedAt ??= context.clock.monotonic();
      await turns.begin(podUidOf(user), exchange);
      return user;
    },
    authorize: (user, attributes) => authorizeDriver(user, applicationOf(user).namespace, attributes),
    viewFor: ({ user }) => applicationOf(user).view,
    allowed: answerWrites(context, applicationOf),
    watching({ user, request }) {
      const application = applicationOf(user);
      if (application.watches >= mostWatches) {
        throw new ApiError(429, "TooManyRequests", `at most ${mostWatches} watches are allowed for one application`);
      }
      const end = application.watchers.begin();
      application.watches += 1;
      metrics.watches.inc();
      const watchEnds = connections.watchBegan(request);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        watchEnds();
        end();
        application.watches -= 1;
        metrics.watches.dec();
      };
    },
  };
}

function answerWrites(context: GatewayContext, applicationOf: (user: User) => Application): Intercept {
  return async (exchange, target, verb) => {
    if (target.kind !== "resource") return false;
    const application = applicationOf(exchange.user);
    const request = driverRequest(context, exchange, target, application);
    if (request === undefined) return false;
    if (verb === "watch" || verb === "list") answerPlainly(exchange);
    if (verb === "watch") replayWhereHistoryEnds(request);
    if (verb === "list") exchange.response.once("close", application.lists.begin());
    const route = ROUTES[`${nameOf(target)} ${verb}`];
    if (route === undefined) return false;
    await route(context, request);
    return true;
  };
}

/** Two API groups have a resource called pods. */
function nameOf({ group, plural, subresource }: ResourceTarget): string {
  const name = group === USAGE.group ? `${plural}.${group}` : plural;
  return subresource === "" ? name : `${name}/${subresource}`;
}

function driverRequest(
  { bodyLimits, bodies }: GatewayContext,
  exchange: Exchange,
  target: ResourceTarget,
  application: Application,
): DriverRequest | undefined {
  const type = application.view.types.find(target.group, target.version, target.plural);
  if (type === undefined) return undefined;
  const { pods, claims, configMaps } = application;
  const mirror = [pods, claims, configMaps].find((one) => one.type === type);
  const limits = type.plural === "configmaps" ? bodyLimits.configMap : bodyLimits.other;
  const body = new DriverBody(exchange, application.driverUid, limits, bodies);
  exchange.bodies = body;
  return { exchange, target, application, type, mirror, body };
}
