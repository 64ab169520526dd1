import { isAbsolute, relative } from "node:path";

const USUAL: Readonly<Record<string, string>> = {
  // Two executors with one core each would take twice the memory of a laptop.
  "spark.executor.instances": "1",
  "spark.executor.cores": "2",
  // The server listens while its executor starts. Otherwise Spark starts one after the other.
  "spark.scheduler.minRegisteredResourcesRatio": "0",
};

/** What a pod's own folders would be hidden by, or are of the system. */
const KEPT = ["/opt/spark", "/opt/entrypoint.sh", "/var/run/secrets", "/var/data"] as const;
const SYSTEM = /^\/(?:usr|bin|sbin|lib\w*|etc|proc|sys|dev|run)(?:\/|$)/;

export interface DriverConfOptions {
  /** The user's folder. */
  readonly cwd: string;
  /** An empty folder for the files of tables, which drivers and executors see. */
  readonly warehouse: string;
  /** What the user says; it wins. */
  readonly conf: Readonly<Record<string, string>>;
}

/**
 * The configuration of drivers, besides the instance's defaults. A Spark on a laptop reads files of the laptop: drivers and
 * executors see the user's folder by the same path, unless it would hide what they need.
 */
export function driverConf({ cwd, warehouse, conf }: DriverConfOptions): Readonly<Record<string, string>> {
  return {
    ...USUAL,
    ...mounted("warehouse", warehouse),
    "spark.sql.warehouse.dir": `file:${warehouse}`,
    ...(isVisible(cwd) && mounted("here", cwd)),
    ...conf,
  };
}

/** Whether pods see a folder of this machine. */
export function isVisible(folder: string): boolean {
  // A mount path of Kubernetes has no colon.
  if (SYSTEM.test(folder) || folder.includes(":")) return false;
  return !KEPT.some((kept) => isWithin(kept, folder) || isWithin(folder, kept));
}

function isWithin(inner: string, outer: string): boolean {
  const way = relative(outer, inner);
  return !way.startsWith("..") && !isAbsolute(way);
}

function mounted(name: string, folder: string): Readonly<Record<string, string>> {
  const sides = ["driver", "executor"].map((side) => `spark.kubernetes.${side}.volumes.hostPath.${name}`);
  return Object.fromEntries(
    sides.flatMap((prefix) => [
      [`${prefix}.mount.path`, folder],
      [`${prefix}.options.path`, folder],
    ]),
  );
}
