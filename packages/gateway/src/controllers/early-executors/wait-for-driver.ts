import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import { objectAt, objectsAt } from "../../json/fields.ts";

const NAME = "kindling-wait-for-driver";

// Spark's images have a bash: their entry point is a bash script. The connection attempt runs in the background, so that the
// container ends at once when the pod is deleted: a connection to an address that is gone takes minutes to fail.
const SCRIPT = `trap 'exit 0' TERM
until
  (exec 3<>"/dev/tcp/$DRIVER_ADDRESS/$DRIVER_PORT") 2>/dev/null &
  wait $!
do
  sleep 0.1 &
  wait $!
done`;

/**
 * Adds a last init container that ends when a port of the driver is open. This is needed because an executor fails if it
 * starts before its driver accepts executors. The init container needs no more resources than the executor, and has its
 * image.
 *
 * @param place the index of the executor's container
 */
export function waitingForDriver(
  pod: KubeObject,
  place: number,
  driver: { readonly address: string; readonly port: number },
): KubeObject {
  const spec = objectAt(pod, "spec");
  const executor = objectsAt(spec, "containers")[place] ?? {};
  const { image, imagePullPolicy, resources, securityContext } = executor;
  const wait: JsonObject = {
    name: NAME,
    command: ["/bin/bash", "-c", SCRIPT],
    env: [
      { name: "DRIVER_ADDRESS", value: driver.address },
      { name: "DRIVER_PORT", value: String(driver.port) },
    ],
    ...Object.fromEntries(
      Object.entries({ image, imagePullPolicy, resources, securityContext }).filter(([, value]) => value !== undefined),
    ),
  };
  return { ...pod, spec: { ...spec, initContainers: [...objectsAt(spec, "initContainers"), wait] } };
}
