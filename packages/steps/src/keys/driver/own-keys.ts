import { confKey, confType, type ConfKey } from "@kindling/core-spec";
import { driverKey } from "./driver-key.ts";

const { boolean, int, text } = confType;

export const DRIVER_MASTER: ConfKey<string> = driverKey(
  "spark.kubernetes.driver.master",
  text,
  "https://kubernetes.default.svc",
  "3.0.0",
  "The URI at which the driver reaches the API server from inside the cluster.",
);

/** What a driver does at the API server for itself, and with its application's files. */
export const OWN_KEYS: readonly ConfKey<unknown>[] = [
  driverKey(
    "spark.kubernetes.driver.annotateExitException",
    boolean,
    "false",
    "4.1.0",
    "Whether a driver that fails writes its exception into an annotation of its pod.",
  ),
  driverKey(
    "spark.kubernetes.driver.connectionTimeout",
    int,
    "10000",
    "3.0.0",
    "How long the driver may take to connect to the API server, in milliseconds.",
  ),
  driverKey(
    "spark.kubernetes.driver.requestTimeout",
    int,
    "10000",
    "3.0.0",
    "How long one request of the driver to the API server may take, in milliseconds.",
  ),
  DRIVER_MASTER,
  driverKey(
    "spark.kubernetes.driver.ownPersistentVolumeClaim",
    boolean,
    "true",
    "3.2.0",
    "Whether claims made on demand belong to the driver, so that they outlive their executor.",
  ),
  driverKey(
    "spark.kubernetes.driver.reusePersistentVolumeClaim",
    boolean,
    "true",
    "3.2.0",
    "Whether a new executor takes over the claim of one that is gone.",
  ),
  driverKey(
    "spark.kubernetes.driver.waitToReusePersistentVolumeClaim",
    boolean,
    "false",
    "3.4.0",
    "Whether the driver waits for a claim to become free before it makes another one.",
  ),
  driverKey(
    "spark.kubernetes.driver.service.deleteOnTermination",
    boolean,
    "true",
    "3.2.0",
    "Whether the driver deletes its Service at its end.",
  ),
  confKey({
    key: "spark.kubernetes.jars.avoidDownloadSchemes",
    type: confType.list,
    default: "",
    since: "4.0.0",
    readBy: ["driver"],
    doc: "URI schemes of jars that executors fetch by themselves and not through the driver; * means all.",
  }),
];
