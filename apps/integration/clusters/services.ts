import { Installed } from "../stack/installed.ts";
import { GATEWAY_HOST, TestGateway } from "./gateway.ts";
import { stagingSetup, TestStaging } from "./staging.ts";
import type { TestNamespace } from "./test-cluster.ts";

/** Whether suites install the chart into the cluster; otherwise services are processes of this machine. */
export const IS_INSTALLED: boolean = isInstalled(process.env["KINDLING_E2E_SERVICES"] ?? "processes");

const SETUP = stagingSetup();

/** Whether a staging server is possible. */
export const HAS_STAGING: boolean = IS_INSTALLED || SETUP !== undefined;

/** Whether a gateway is possible. */
export const HAS_GATEWAY: boolean = IS_INSTALLED || GATEWAY_HOST !== undefined;

/** A staging server for a suite's namespace. */
export interface StagingService {
  /** Flags of submissions that use it. */
  readonly flags: readonly string[];
  stop(): Promise<void>;
}

/** A gateway for a suite's namespace. */
export interface GatewayService {
  /** Flags of submissions that use it. */
  readonly flags: readonly string[];
  /** Its log. */
  readonly log: readonly string[];
  /** A counter of the gateway; 0 if it does not exist yet. */
  metric(name: string): Promise<number>;
  stop(): Promise<void>;
}

/** Starts or installs a staging server. */
export async function startStaging(namespace: TestNamespace): Promise<StagingService> {
  if (IS_INSTALLED) return await Installed.start(namespace, ["staging"]);
  if (SETUP === undefined) throw new Error("nothing tells how pods reach this machine");
  return await TestStaging.start(SETUP);
}

/** Starts or installs a gateway. */
export async function startGateway(namespace: TestNamespace): Promise<GatewayService> {
  if (!IS_INSTALLED) return await TestGateway.start(namespace, GATEWAY_HOST ?? "");
  const installed = await Installed.start(namespace, ["gateway"]);
  return {
    flags: installed.flags,
    log: installed.log,
    metric: (name) => installed.metric("gateway", name),
    stop: () => installed.stop(),
  };
}

function isInstalled(services: string): boolean {
  if (services === "installed" || services === "processes") return services === "installed";
  throw new Error(`KINDLING_E2E_SERVICES is processes or installed, not ${services}`);
}
